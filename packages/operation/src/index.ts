export {
  facilitatorOperation,
  gatewayOperation,
  gatewayStreamOperation,
  type OrderBy,
  pagedFacilitatorOperation,
  pagedGatewayOperation,
} from './define.ts'
export { type AnyErrorClass, createCallError, createInputError, isErrorOf, joinIssues } from './errors.ts'
export { defineEvents, type EventDataOf, type EventType, type EventTypes } from './event-types.ts'
export { keepsIdempotencyKey } from './idempotency-key.ts'
export { checkInput, findOneOfIssue, inputIssues, inputSchema } from './input.ts'
export type {
  AnyOperation,
  Arguments,
  CallOptions,
  CallResult,
  Client,
  DataOf,
  DeclaredError,
  DetailOf,
  ErrorOf,
  ErrorsOf,
  FacilitatorClient,
  GatewayClient,
  InputOf,
  Method,
  Operation,
  OperationShape,
  PagedOperation,
  ReasonOf,
  Rule,
  Service,
  Source,
  StreamOperation,
} from './types.ts'
export { wait } from './wait.ts'
