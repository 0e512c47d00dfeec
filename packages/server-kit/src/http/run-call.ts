import type { OperationShape } from '@mintmark/operation'
import type { Context as HonoContext } from 'hono'
import type { Logger } from 'pino'
import type { ServerMetrics } from '../process/metrics.ts'
import type { CallHandling, PendingResponse, UnauthenticatedCall } from './call.ts'
import type { CompiledRoute } from './compile-routes.ts'
import { trackConnection } from './connection.ts'
import { createFieldError, type HttpError, toHttpError } from './http-error.ts'
import type { Refuse } from './implement.ts'
import { mustCloseConnection, readIncomingCall, refuseMalformedQuery } from './raw-call.ts'
import { readInput } from './read-input.ts'
import type { ResponseFormat } from './response-format.ts'

/** What the calls of one application share. */
export interface CallEnvironment<Caller, Context> extends CallHandling<Caller, Context> {
  readonly format: ResponseFormat
  readonly publicPath: string
  readonly maxBodyBytes: number
  readonly trustedProxyHops: number
  /** The headers of every failure: a link to the page that explains errors. */
  readonly failureHeaders: Readonly<Record<string, string>>
  readonly log: Logger
  readonly metrics: ServerMetrics
  /** Added to the context of every handler. */
  readonly refuse: Refuse
}

/**
 * Creates its headers on first use: most responses have none of their own, and creating a `Headers` costs as
 * much as checking the input.
 */
class LazyResponse implements PendingResponse {
  #headers: Headers | undefined

  get headers(): Headers {
    this.#headers ??= new Headers()
    return this.#headers
  }

  /** Returns the headers that the handler added, in a new record. */
  toHeaderRecord(): Record<string, string> {
    return this.#headers === undefined ? {} : Object.fromEntries(this.#headers)
  }
}

/**
 * Runs one call of a route: authentication, body, input, handler and response.
 *
 * @param invalidParam The parameter of the path that must be a number and is not. The call ends with 400,
 * after its authentication.
 */
export async function runCall<Caller, Context extends object>(
  environment: CallEnvironment<Caller, Context>,
  route: CompiledRoute<Context>,
  context: HonoContext,
  invalidParam?: string,
): Promise<Response> {
  const startedMs = performance.now()
  const { format, publicPath, log } = environment
  const maxBodyBytes = route.maxBodyBytes ?? environment.maxBodyBytes
  const { operation } = route
  const requestId = crypto.randomUUID()
  const response = new LazyResponse()
  const connection = trackConnection(context, environment.trustedProxyHops)
  const { remoteAddress, onEnd, onUndelivered, finish, getSignal, isConnected, disconnect } = connection
  const incoming = readIncomingCall(context.req, { publicPath, maxBodyBytes, remoteAddress })
  const responseListeners: ((length: number) => void)[] = []
  const onResponse = (listener: (length: number) => void) => void responseListeners.push(listener)
  const setHeader = (name: string, value: string) => response.headers.set(name, value)
  const call = Object.assign(incoming, {
    operation,
    requestId,
    log,
    setHeader,
    onResponse,
    onEnd,
    onUndelivered,
    getSignal,
    isConnected,
    disconnect,
  })
  let bytes: Uint8Array<ArrayBuffer> | undefined
  let status = 200
  let hasFailed = false
  let body: string | ReadableStream<Uint8Array> | null
  try {
    call.checkBodyHeaders()
    refuseMalformedQuery(call.query)
    const caller = await environment.authenticate(call)
    bytes = await call.readBody()
    if (invalidParam !== undefined) throw createFieldError(invalidParam, 'Expected digits')
    const params = operation.params ? context.req.param() : {}
    const input = readInput(operation, { params, query: call.query, body: bytes }, route.checkLimits)
    // The schema was checked: the input has the type of the handler's operation.
    const bind = (own: Context) => [input as never, Object.assign(own, environment.refuse)] as const
    const step = route.prepare
    const prepare = step && ((own: Context) => step(...bind(own)))
    const result = await environment.run(
      Object.assign(call, { caller, body: bytes }),
      async (own, prepared = prepare?.(own)) => route.handle(...bind(own), (await prepared) as never),
      response,
      prepare,
    )
    if ('stored' in result) {
      status = result.stored.status
      body = result.stored.body
    } else if (operation.result === 'event-stream') {
      // The type of a stream's handler.
      body = result.data as ReadableStream<Uint8Array>
    } else {
      body = formatData(format, operation, result.data)
    }
  } catch (error) {
    const httpError = toHttpError(error)
    hasFailed = true
    status = httpError.status
    body = JSON.stringify(format.failure(httpError, operation, bytes))
    if (httpError.retryAfter !== undefined) response.headers.set('retry-after', String(httpError.retryAfter))
    logError(call, httpError, error)
  }
  const length = typeof body === 'string' ? body.length : 0
  for (const listener of responseListeners) listener(length)
  finish({ hasFailed })
  recordCall(environment, call, status, startedMs)
  const headers = response.toHeaderRecord()
  headers['x-request-id'] = requestId
  if (status >= 400) Object.assign(headers, environment.failureHeaders)
  if (!call.isBodyRead && mustCloseConnection(context.req.raw)) headers.connection = 'close'
  if (typeof body === 'string') headers['content-type'] = 'application/json'
  else if (body !== null) Object.assign(headers, EVENT_STREAM_HEADERS)
  return new Response(body, { status, headers })
}

/** Proxies pass the messages on unchanged and at once. The last header is that of nginx. */
const EVENT_STREAM_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

/** Returns the body of a successful response; null for an operation whose responses have no body. */
function formatData(format: ResponseFormat, operation: OperationShape, data: unknown): string | null {
  if (data === undefined || operation.result === 'header' || operation.result === 'none') return null
  return JSON.stringify(format.success(data, operation))
}

/** Logs an error of the server. Errors of callers appear only with the status of the call. */
function logError({ log, requestId, operation }: UnauthenticatedCall, { status }: HttpError, error: unknown) {
  if (status === 503) {
    const reason = error instanceof Error ? error.message : String(error)
    log.warn({ requestId, operation: operation.id, reason }, 'overloaded')
  } else if (status >= 500) {
    log.error({ requestId, operation: operation.id, err: error }, 'call failed')
  }
}

function recordCall(
  { metrics, log }: Pick<CallEnvironment<never, never>, 'metrics' | 'log'>,
  { operation, requestId }: UnauthenticatedCall,
  status: number,
  startedMs: number,
): void {
  const seconds = (performance.now() - startedMs) / 1000
  metrics.call(operation.id, status, seconds)
  log.info({ requestId, operation: operation.id, status, ms: Math.round(seconds * 1e6) / 1e3 }, 'call')
}
