export * from '@mintmark/admin'
export * from '@mintmark/cards'
export * from '@mintmark/contracts'
export {
  type AnyMintmarkError,
  ConflictError,
  type Envelope,
  type ErrorDetails,
  ForbiddenError,
  formatTimestamp,
  IDEMPOTENCY_KEY_REUSED,
  InsufficientBalanceError,
  InvalidInputError,
  type Issue,
  isMintmarkError,
  MintmarkError,
  NetworkError,
  NotFoundError,
  type Page,
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
} from '@mintmark/envelope'
export * from '@mintmark/events'
export * from '@mintmark/facilitator'
export * from '@mintmark/market'
export type { DataOf, ErrorOf, ErrorsOf, InputOf, ReasonOf } from '@mintmark/operation'
export * from '@mintmark/orders'
export * from '@mintmark/transport'
export * from '@mintmark/wallet'
export type { BoundGroup, BoundGroups, BoundOperation } from './bind.ts'
export {
  createMintmark,
  type FacilitatorGroups,
  type FacilitatorSource,
  type GatewayGroups,
  type GatewaySource,
  type Mintmark,
  type MintmarkOptions,
} from './create-mintmark.ts'
export { verifyWebhook } from './verify-webhook.ts'
