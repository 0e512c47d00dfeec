export { Envelope, type Issue } from './envelope.ts'
export {
  type AnyMintmarkError,
  CHAIN_UNREADABLE,
  Conflict,
  type ErrorClass,
  type ErrorDetails,
  Forbidden,
  InsufficientBalance,
  InvalidInput,
  isMintmarkError,
  MintmarkError,
  Network,
  NotFound,
  RateLimited,
  REPLAYED,
  Refused,
  Server,
  STALE_TIMESTAMP,
  Timeout,
  Unauthorized,
  UnexpectedResponse,
  UnknownOutcome,
} from './errors.ts'
export { describeIssue } from './issues.ts'
export { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, type Page, page, pageQuery } from './page.ts'
export { Empty, type Entries, type RecordSchema, record, type Schema } from './record.ts'
export { Address, Amount, Hash, Id, Integer, NftType, Positive, Text, Timestamp } from './scalars.ts'
