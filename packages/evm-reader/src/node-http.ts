import { BaseError, type HttpTransport } from 'viem'
import type { HttpRpcClient } from 'viem/utils'

interface HttpOptions {
  /** Milliseconds from the request to the end of the response. */
  readonly timeout: number
}

/**
 * Completes the options of viem's HTTP clients, so that the timeout includes the body of the response. viem's
 * own timeout ends with the headers: a node that stalls after them would stop the job that reads it for
 * minutes, and one that sends a byte now and then forever. A node cannot delay its retry either: viem would
 * wait for any Retry-After.
 */
export function limitWholeResponse<Options extends HttpOptions>(
  options: Options,
): Options & { readonly fetchFn: typeof fetch } {
  const { timeout } = options
  return {
    ...options,
    async fetchFn(input, init) {
      return removeRetryAfter(await fetch(input, { ...init, signal: AbortSignal.timeout(timeout) }))
    },
  }
}

function removeRetryAfter(response: Response): Response {
  if (!response.headers.has('retry-after')) return response
  const { status, statusText, body } = response
  const headers = new Headers(response.headers)
  headers.delete('retry-after')
  return new Response(body, { status, statusText, headers })
}

/** Runs one request to a node, for one call or the calls of a batch. */
export type RunRequest = <Result>(
  methods: readonly string[],
  request: () => Promise<Result>,
) => Promise<Result>

/** Runs the requests of a transport of viem by a function. */
export function runTransportBy(transport: HttpTransport, run: RunRequest): HttpTransport {
  return (parameters) => {
    const created = transport(parameters)
    const { request } = created
    const wrapped: typeof request = (call, options) =>
      run([String(call.method)], () => request(call, options))
    return { ...created, request: wrapped }
  }
}

/** Runs the requests of a JSON-RPC client of viem by a function. */
export function runClientBy(http: HttpRpcClient, run: RunRequest): HttpRpcClient {
  return {
    request: (parameters) => {
      const methods = [parameters.body].flat().map(({ method }) => method)
      return run(methods, () => http.request(parameters))
    },
  }
}

/**
 * A request that was not sent, because the node did not respond to earlier ones. An error of viem, because
 * viem would wrap any other in one that looks like an error of the node.
 */
export class NodeUnavailableError extends BaseError {
  constructor(problem: string) {
    super(`The node is skipped until it responds again: ${problem}`, { name: 'NodeUnavailableError' })
  }
}

/** Whether a request ended because the response took too long, in its headers or in its body. */
export const isTimeout = (error: unknown): boolean => {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.name === 'TimeoutError') return true
  }
  return false
}

/** Returns the reason of a failed connection, such as ECONNREFUSED. */
export function findConnectionCode(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string' && /^[A-Z][A-Z_]+$/.test(cause.code))
      return cause.code
  }
  return undefined
}
