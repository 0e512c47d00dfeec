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

/** Whether a request ended because the response took too long, in its headers or in its body. */
export const isTimeout = (cause: unknown): boolean => cause instanceof Error && cause.name === 'TimeoutError'
