import { createNodeBreaker } from '@mintmark/evm-reader'
import { cleanText } from '@mintmark/server-kit'

/** The error that a node returned for a call. */
export class SvmRpcError extends Error {
  override readonly name = 'SvmRpcError'
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** Calls one node. @throws SvmRpcError if the node returns an error, others if there is no response. */
export type CallNode = <Result>(method: string, params?: readonly unknown[]) => Promise<Result>

/** A chain of Solana with the nodes that read it. */
export interface SvmChain {
  /** CAIP-2: `solana:` and 32 characters of the genesis hash. */
  readonly network: string
  /** In order of preference. Never empty. */
  readonly nodes: readonly CallNode[]
}

const REQUEST_TIMEOUT_MS = 10_000
const MAX_RESPONSE_CHARACTERS = 4 * 1024 * 1024

/**
 * Opens a chain. Nothing connects before the first call.
 *
 * @param timeoutMs Milliseconds until a node that has not sent its whole response is given up.
 */
export const openSvmChain = (
  network: string,
  rpcUrls: readonly string[],
  timeoutMs = REQUEST_TIMEOUT_MS,
): SvmChain => ({ network, nodes: rpcUrls.map((url) => openNode(url, timeoutMs)) })

function openNode(url: string, timeoutMs: number): CallNode {
  const run = createNodeBreaker(() => callNode(url, timeoutMs, 'getSlot'))
  return (method, params) => run([method], () => callNode(url, timeoutMs, method, params))
}

interface Received {
  readonly result?: unknown
  readonly error?: { readonly code?: unknown; readonly message?: unknown }
}

async function callNode<Result>(
  url: string,
  timeoutMs: number,
  method: string,
  params: readonly unknown[] = [],
): Promise<Result> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(timeoutMs),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`The node responded to ${method} with the status ${response.status}`)
  if (text.length > MAX_RESPONSE_CHARACTERS) throw new Error(`The response to ${method} is too large`)
  const { result, error }: Received = JSON.parse(text)
  if (error) throw new SvmRpcError(Number(error.code), cleanText(String(error.message)))
  if (result === undefined) throw new Error(`The node responded to ${method} without a result`)
  // Callers name the documented type of the method's result.
  return result as Result
}

/** Calls the nodes in order until one returns a result. @throws The last error. */
export async function callAny<Result>(
  { nodes }: SvmChain,
  method: string,
  params?: readonly unknown[],
): Promise<Result> {
  let last: unknown = new Error('The chain has no node')
  for (const call of nodes) {
    try {
      return await call<Result>(method, params)
    } catch (error) {
      last = error
    }
  }
  throw last
}
