import type { OperationShape } from '@mintmark/operation'
import { context, ROOT_CONTEXT, SpanKind, type TextMapGetter } from '@opentelemetry/api'
import { REQUEST_ID_ATTRIBUTE } from './attributes.ts'
import { recordFailure, runInSpan } from './spans.ts'
import type { Tracing } from './tracing.ts'

/** Reads a header of the call. */
type ReadHeader = (name: string) => string | undefined

const headerGetter: TextMapGetter<ReadHeader> = {
  get: (readHeader, name) => readHeader(name),
  // Only propagators that look for unknown names need the names.
  keys: () => [],
}

/**
 * Runs a call in a server span, which continues the caller's trace. The span has the operation instead of the
 * path and the query, whose values can be personal or secret.
 */
export async function traceCall(
  tracing: Tracing,
  { id, method, path }: Pick<OperationShape, 'id' | 'method' | 'path'>,
  readHeader: ReadHeader,
  respond: () => Promise<Response>,
): Promise<Response> {
  const caller = tracing.propagator.extract(ROOT_CONTEXT, readHeader, headerGetter)
  const attributes = { 'http.request.method': method, 'http.route': path }
  const run = () =>
    runInSpan(tracing, { name: id, kind: SpanKind.SERVER, attributes }, async (span) => {
      const response = await respond()
      span.setAttribute('http.response.status_code', response.status)
      const requestId = response.headers.get('x-request-id')
      if (requestId !== null) span.setAttribute(REQUEST_ID_ATTRIBUTE, [requestId])
      // An error of the caller is no failure of the server.
      if (response.status >= 500) recordFailure(span, String(response.status))
      return response
    })
  return await context.with(caller, run)
}
