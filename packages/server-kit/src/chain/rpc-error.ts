import { BaseError, decodeErrorResult, type Hex, parseAbi } from 'viem'

/** A node's own answer that something is wrong, as opposed to a node that could not be reached. */
export interface RpcError {
  code: number
  /** The node's words. They hold no address of the node, which viem's messages do and which may hold a key. */
  message: string
  /** What the contract reverted with. */
  data?: Hex
}

/** The JSON-RPC error behind what viem threw, undefined when the node gave none. */
export function rpcErrorOf(error: unknown): RpcError | undefined {
  let found: RpcError | undefined
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (!('code' in cause) || typeof cause.code !== 'number') continue
    const message = 'details' in cause && typeof cause.details === 'string' ? cause.details : cause.message
    const data = 'data' in cause ? hexIn(cause.data) : undefined
    // The innermost one is the node's; those around it are viem's readings of it.
    found = { code: cause.code, message, ...(data !== undefined && { data }) }
  }
  return found
}

/** What went wrong with a node, for logs: without its address. */
export function describeChainError(error: unknown): string {
  const answered = rpcErrorOf(error)
  if (answered) return `the node answered ${answered.code}: ${answered.message}`
  if (!(error instanceof Error)) return 'the node could not be asked'
  const unreached = connectionCodeOf(error)
  if (unreached !== undefined) return `no connection to the node (${unreached})`
  const details = 'details' in error && typeof error.details === 'string' ? error.details : error.message
  return `${error.name}: ${details}`
}

/** Why there was no connection, such as ECONNREFUSED. */
function connectionCodeOf(error: Error): string | undefined {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string' && /^[A-Z][A-Z_]+$/.test(cause.code))
      return cause.code
  }
  return undefined
}

/**
 * The error as it may be logged: viem's own errors carry the node's address and the request, so they are replaced by
 * one that says the same without them.
 */
export function withoutAddress(error: unknown): unknown {
  return error instanceof BaseError ? new Error(describeChainError(error)) : error
}

/** Whether the node executed the call and the contract refused it. */
export const isRevert = (error: RpcError): boolean => error.code === 3 || /revert/i.test(error.message)

const revertAbi = parseAbi(['error Error(string reason)'])

/** The sentence a contract reverted with, or else the node's words. */
export function revertReason({ message, data }: RpcError): string {
  if (data?.startsWith('0x08c379a0')) {
    try {
      return decodeErrorResult({ abi: revertAbi, data }).args[0]
    } catch {
      // Cut short by the node; its message is all there is.
    }
  }
  return message
}

/** Nodes put the bytes either straight into `data` or one level below. */
function hexIn(data: unknown): Hex | undefined {
  if (typeof data === 'string') return /^0x[0-9a-f]*$/i.test(data) ? `0x${data.slice(2)}` : undefined
  return typeof data === 'object' && data !== null && 'data' in data ? hexIn(data.data) : undefined
}
