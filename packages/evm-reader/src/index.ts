export * from './block-facts.ts'
export { findHeader, getHeaderAsOf, getHeaders } from './block-header.ts'
export * from './chain-status.ts'
export * from './chains.ts'
export type { FinalBlock } from './final-block.ts'
export { type BlockHeader, ChainChangedError } from './header-parsing.ts'
export type { LogRange, LogRequest } from './log-range.ts'
export * from './log-reader.ts'
export { createNodeBreaker } from './node-breaker.ts'
export type { RunRequest } from './node-http.ts'
export { BlockUnreadableError, type LogFilter, type NodeLog } from './node-logs.ts'
export { findNewestState, orProblem, readNodeStates, toNodesHealth } from './node-states.ts'
export { countUsedNonces, isNonceUsedByOther, type SignedNonce } from './nonce-use.ts'
export type { RequestEach } from './request-each.ts'
export { requestOutcomes } from './request-outcomes.ts'
export {
  describeChainError,
  findRpcError,
  getRevertReason,
  isRevert,
  type RpcError,
  removeAddress,
} from './rpc-error.ts'
export type { RpcCall, RpcOutcome } from './rpc-request.ts'
export type { SendBatch } from './send-batch.ts'
export * from './trace.ts'
