import { context, SpanKind } from '@opentelemetry/api'
import { isTraced, recordFailure, runInSpan } from './spans.ts'
import type { Tracing } from './tracing.ts'

/**
 * Runs a POST to another server in a client span, if it belongs to a trace. The span has the host only, because addresses can contain keys.
 *
 * @param send Sends the request with the headers that continue the trace there.
 */
export async function traceRequestTo(
  tracing: Tracing | undefined,
  name: string,
  url: URL,
  send: (headers: Readonly<Record<string, string>>) => Promise<Response>,
): Promise<Response> {
  if (tracing === undefined || !isTraced()) return await send({})
  const attributes = {
    'http.request.method': 'POST',
    'server.address': url.hostname,
    'server.port': Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
  }
  return await runInSpan(tracing, { name, kind: SpanKind.CLIENT, attributes }, async (span) => {
    const headers: Record<string, string> = {}
    tracing.propagator.inject(context.active(), headers, {
      set: (carrier, header, value) => {
        carrier[header] = value
      },
    })
    const response = await send(headers)
    span.setAttribute('http.response.status_code', response.status)
    if (response.status >= 400) recordFailure(span, String(response.status))
    return response
  })
}
