import { isTraced, runInSpan, type Tracing } from '@mintmark/server-kit'
import { SpanKind } from '@opentelemetry/api'
import type { RunRequest } from './node-http.ts'

/** The number of calls that one request to a node contains. */
const BATCH_SIZE_ATTRIBUTE = 'mintmark.rpc.batch_size'

/** Most methods in the name of a batch. */
const MAX_NAMED_METHODS = 3

/**
 * Runs a request to a node in a client span, if it belongs to a trace. The span has the methods and the host:
 * addresses contain keys.
 */
async function traceRequest<Result>(
  tracing: Tracing,
  url: string,
  methods: readonly string[],
  request: () => Promise<Result>,
): Promise<Result> {
  if (!isTraced()) return await request()
  const name = [...new Set(methods)].slice(0, MAX_NAMED_METHODS).join(', ')
  const { hostname, port, protocol } = new URL(url)
  const attributes = {
    'rpc.system.name': 'jsonrpc',
    'rpc.method': name,
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
    [BATCH_SIZE_ATTRIBUTE]: methods.length,
  }
  return await runInSpan(tracing, { name, kind: SpanKind.CLIENT, attributes }, request)
}

/** Creates the function that traces the requests to a node. */
export function createNodeTrace(tracing: Tracing | undefined, url: string): RunRequest {
  if (tracing === undefined) return (_, request) => request()
  return (methods, request) => traceRequest(tracing, url, methods, request)
}
