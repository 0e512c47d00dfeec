export { serverOnly } from '#server-only'
export { Envelope, type Issue } from './envelope.ts'
export {
  type AnyMintmarkError,
  CHAIN_UNREADABLE,
  ConflictError,
  type ErrorDetails,
  ForbiddenError,
  IDEMPOTENCY_KEY_REUSED,
  InsufficientBalanceError,
  InvalidInputError,
  isMintmarkError,
  MintmarkError,
  NetworkError,
  NotFoundError,
  RateLimitedError,
  RefusedError,
  ServerError,
  SIGNATURE_REPLAYED,
  STALE_TIMESTAMP,
  TimeoutError,
  UnauthorizedError,
  type UnexpectedResponseDetails,
  UnexpectedResponseError,
  type UnknownOutcomeDetails,
  UnknownOutcomeError,
} from './errors.ts'
export { formatTimestamp } from './format-timestamp.ts'
export { describeIssue } from './issues.ts'
export {
  creationTimeQuery,
  DEFAULT_PAGE_SIZE,
  MAX_PAGE_SIZE,
  type Page,
  page,
  pageQuery,
} from './page.ts'
export { Empty, type Entries, type RecordSchema, record, type Schema } from './record.ts'
export { referenceField, referenceInput, referenceQuery } from './reference.ts'
export {
  Address,
  Amount,
  Hash,
  Id,
  Integer,
  NftType,
  OpenNftType,
  OpenPayTokenType,
  PayTokenType,
  Positive,
  Text,
  Timestamp,
} from './scalars.ts'
export {
  InvalidWebhookError,
  type SignedWebhook,
  signTestWebhook,
  type VerifyWebhookOptions,
  verifyWebhookMessage,
} from './webhook.ts'
