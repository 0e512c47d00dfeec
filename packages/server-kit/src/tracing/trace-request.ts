import { context, SpanKind } from '@opentelemetry/api'
import { isTraced, recordFailure, runInSpan } from './spans.ts'
import type { Tracing } from './tracing.ts'

/** A request to another server. */
export interface TracedRequest<Result> {
  /** The name of its span. */
  readonly name: string
  readonly url: URL
  /** Returns the HTTP status of the response. Undefined if there was none. */
  getStatus(result: Result): number | undefined
}

/**
 * Runs a POST to another server in a client span, if it belongs to a trace. The span has the host only,
 * because addresses can contain keys.
 */
export async function traceRequestTo<Result>(
  tracing: Tracing | undefined,
  { name, url, getStatus }: TracedRequest<Result>,
  send: () => Promise<Result>,
): Promise<Result> {
  if (tracing === undefined || !isTraced()) return await send()
  const attributes = {
    'http.request.method': 'POST',
    'server.address': url.hostname,
    'server.port': Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
  }
  return await runInSpan(tracing, { name, kind: SpanKind.CLIENT, attributes }, async (span) => {
    const result = await send()
    const status = getStatus(result)
    if (status !== undefined) span.setAttribute('http.response.status_code', status)
    if (status === undefined || status >= 400) recordFailure(span, String(status ?? 'NoResponse'))
    return result
  })
}

/** Returns the headers of a request that continue the present trace; none outside of a recorded trace. */
export function getTraceHeaders(tracing: Tracing | undefined): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {}
  if (tracing === undefined || !isTraced()) return headers
  tracing.propagator.inject(context.active(), headers, {
    set: (carrier, header, value) => {
      carrier[header] = value
    },
  })
  return headers
}
