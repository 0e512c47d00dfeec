import { cleanText } from '@mintmark/server-kit'
import { BaseError, decodeErrorResult, type Hex, parseAbi } from 'viem'
import { findConnectionCode, isTimeout, NodeUnavailableError } from './node-http.ts'

/** An error that a node returned, as opposed to a node that could not be reached. */
export interface RpcError {
  code: number
  /**
   * The node's message, cleaned. Unlike viem's messages it does not contain the URL of the node, which may
   * contain a key.
   */
  message: string
  /** The revert data of the contract. */
  data?: Hex
}

/** Returns the JSON-RPC error behind an error of viem, or undefined when the node did not return one. */
export function findRpcError(error: unknown): RpcError | undefined {
  let rpcError: RpcError | undefined
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (!('code' in cause) || typeof cause.code !== 'number') continue
    // The number of a request that was given up is not the node's.
    if (cause instanceof DOMException) continue
    const message = 'details' in cause && typeof cause.details === 'string' ? cause.details : cause.message
    const data = 'data' in cause ? findHex(cause.data) : undefined
    // The innermost error is the node's. viem wraps it in its own ones.
    rpcError = { code: cause.code, message: cleanText(message), ...(data !== undefined && { data }) }
  }
  return rpcError
}

/** Converts the error of a JSON-RPC response. */
export function toRpcError(error: {
  readonly code?: unknown
  readonly message?: unknown
  readonly data?: unknown
}): RpcError {
  const data = findHex(error.data)
  return {
    code: Number(error.code),
    message: cleanText(String(error.message)),
    ...(data !== undefined && { data }),
  }
}

/** Describes an error of a node for logs, without the node's URL. */
export function describeChainError(error: unknown): string {
  const rpcError = findRpcError(error)
  if (rpcError) return `the node returned ${rpcError.code}: ${rpcError.message}`
  if (!(error instanceof Error)) return 'the request to the node failed'
  if (error instanceof NodeUnavailableError) return error.shortMessage
  const unreached = findConnectionCode(error)
  if (unreached !== undefined) return `no connection to the node (${unreached})`
  if (isTimeout(error)) return 'the node did not send its whole response in time'
  const details = 'details' in error && typeof error.details === 'string' ? error.details : error.message
  return `${error.name}: ${details}`
}

/**
 * Returns an error that can be logged: viem's errors contain the node's URL and the request, so they are
 * replaced with one without them.
 */
export function removeAddress(error: unknown): unknown {
  return error instanceof BaseError ? new Error(describeChainError(error)) : error
}

/** Whether the node executed the call and the contract refused it. */
export const isRevert = (error: RpcError): boolean => error.code === 3 || /revert/i.test(error.message)

/** The block, or its state. */
const MISSING_BLOCK =
  /header not found|unknown block|block (is )?(not found|missing|unavailable)|cannot be found|missing trie node|not currently canonical|state .*not available/i

/** Whether the node does not have the block that a request selects, or its state, yet or any more. */
export const isMissingBlock = ({ message }: RpcError): boolean => MISSING_BLOCK.test(message)

const revertAbi = parseAbi(['error Error(string reason)'])

/** Returns the reason that a contract reverted with, cleaned, or else the node's message. */
export function getRevertReason({ message, data }: RpcError): string {
  if (data?.startsWith('0x08c379a0')) {
    try {
      return cleanText(decodeErrorResult({ abi: revertAbi, data }).args[0])
    } catch {
      // The node truncated the data, so only its message is left.
    }
  }
  return message
}

/** Nodes put the bytes either straight into `data` or one level below. */
function findHex(data: unknown): Hex | undefined {
  if (typeof data === 'string') return /^0x[0-9a-f]*$/i.test(data) ? `0x${data.slice(2)}` : undefined
  return typeof data === 'object' && data !== null && 'data' in data ? findHex(data.data) : undefined
}
