import { SpanKind } from '@opentelemetry/api'
import type { HttpTransport } from 'viem'
import type { HttpRpcClient } from 'viem/utils'
import { BATCH_SIZE_ATTRIBUTE } from './attributes.ts'
import { isTraced, runInSpan } from './spans.ts'
import type { Tracing } from './tracing.ts'

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

/** Traces the requests of a transport of viem. */
export function traceTransport(
  transport: HttpTransport,
  url: string,
  tracing: Tracing | undefined,
): HttpTransport {
  if (tracing === undefined) return transport
  return (parameters) => {
    const created = transport(parameters)
    const { request } = created
    const traced: typeof request = (call, options) =>
      traceRequest(tracing, url, [String(call.method)], () => request(call, options))
    return { ...created, request: traced }
  }
}

/** Traces the requests of a JSON-RPC client of viem. */
export function traceRpcClient(
  http: HttpRpcClient,
  url: string,
  tracing: Tracing | undefined,
): HttpRpcClient {
  if (tracing === undefined) return http
  return {
    request: (parameters) => {
      const methods = [parameters.body].flat().map(({ method }) => method)
      return traceRequest(tracing, url, methods, () => http.request(parameters))
    },
  }
}
