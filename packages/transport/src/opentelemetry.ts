import { MintmarkError } from '@mintmark/envelope'
import type { CallOptions, CallResult, Client, OperationShape, Service } from '@mintmark/operation'
import {
  type Context,
  context,
  createContextKey,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  type TracerProvider,
  trace,
} from '@opentelemetry/api'
import type { ClientOptions } from './options.ts'
import { getText } from './received.ts'

/** What `withTracing` adds to the options of a client. */
export interface TracingOptions {
  /** Default: the global one, which your program registers. */
  readonly tracerProvider?: TracerProvider | undefined
}

/** Names the call of an attempt between the client and `fetch`. It is removed before the request is sent. */
const CALL_HEADER = 'x-mintmark-call'

/**
 * The key by which OpenTelemetry's packages suppress further spans of the same request, such as those of an
 * instrumented `fetch`, which would also add a second `traceparent`. The API has no function for it.
 */
const SUPPRESS_TRACING = createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING')

/** A call in progress. */
interface TracedCall {
  /** The operation's path, without the values of its parameters. */
  readonly path: string
  readonly context: Context
  attempts: number
}

type SendRequest = NonNullable<ClientOptions['fetch']>

/**
 * Creates a client whose calls are spans of OpenTelemetry. A call is an internal span with the operation's id
 * as its name. Each of its attempts is a client span, which the server continues. Spans have neither paths,
 * queries, bodies nor headers except the server's request id.
 *
 * @param create `createGateway` or `createFacilitator`.
 *
 * @example
 * const gateway = withTracing(createGateway, { baseUrl, credentials: { apiKey, secret } })
 */
export function withTracing<S extends Service, Options extends ClientOptions>(
  create: (options: Options) => Client<S>,
  options: Options,
  { tracerProvider }: TracingOptions = {},
): Client<S> {
  const tracer = (tracerProvider ?? trace).getTracer('@mintmark/transport')
  const calls = new Map<string, TracedCall>()
  const send = options.fetch ?? ((url, init) => fetch(url, init))
  const client = create({
    ...options,
    fetch: (url, init) => {
      const { call, headers } = takeCall(calls, init)
      return call ? traceAttempt(tracer, call, { url, init: { ...init, headers }, send }) : send(url, init)
    },
  })
  return {
    kind: client.kind,
    call: (operation, input, callOptions) =>
      traceCall(tracer, operation, (callContext) => {
        const id = crypto.randomUUID()
        const { path = operation.path } = options.routes?.find((route) => route.id === operation.id) ?? {}
        calls.set(id, { path, context: callContext, attempts: 0 })
        const headers = { ...callOptions?.headers, [CALL_HEADER]: id }
        const withCall: CallOptions = { ...callOptions, headers }
        return client.call(operation, input, withCall).finally(() => calls.delete(id))
      }),
  }
}

/** Finds the call of an attempt, and returns the headers that are sent. */
function takeCall(calls: ReadonlyMap<string, TracedCall>, { headers: given }: RequestInit) {
  // The client passes a record with lower-case names.
  const { [CALL_HEADER]: id = '', ...headers } = given as Record<string, string>
  return { call: calls.get(id), headers }
}

async function traceCall(
  tracer: Tracer,
  operation: OperationShape,
  run: (callContext: Context) => Promise<CallResult>,
): Promise<CallResult> {
  const parent = context.active()
  const span = tracer.startSpan(operation.id, { kind: SpanKind.INTERNAL }, parent)
  const callContext = trace.setSpan(parent, span)
  try {
    return await context.with(callContext, run, undefined, callContext)
  } catch (error) {
    recordFailure(span, getErrorType(error))
    throw error
  } finally {
    span.end()
  }
}

interface Attempt {
  readonly url: string
  readonly init: RequestInit & { headers: Record<string, string> }
  readonly send: SendRequest
}

async function traceAttempt(
  tracer: Tracer,
  call: TracedCall,
  { url, init, send }: Attempt,
): Promise<Response> {
  const { hostname, port, protocol } = new URL(url)
  const { method = 'GET' } = init
  const attributes = {
    'http.request.method': method,
    'url.template': call.path,
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
    ...(call.attempts > 0 && { 'http.request.resend_count': call.attempts }),
  }
  call.attempts += 1
  const name = `${method} ${call.path}`
  const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, call.context)
  const attemptContext = trace.setSpan(call.context, span)
  const headers = { ...init.headers }
  propagation.inject(attemptContext, headers)
  const fail = (error: unknown) => {
    recordFailure(span, getErrorType(error))
    span.end()
  }
  // The client does not wait for a fetch that ignores its signal. A timeout aborts the attempt too.
  const onAbort = () => fail(init.signal?.reason)
  init.signal?.addEventListener('abort', onAbort, { once: true })
  try {
    const suppressed = attemptContext.setValue(SUPPRESS_TRACING, true)
    const response = await context.with(suppressed, send, undefined, url, { ...init, headers })
    if (!init.signal?.aborted) endWithResponse(span, response)
    return response
  } catch (error) {
    if (!init.signal?.aborted) fail(error)
    throw error
  } finally {
    init.signal?.removeEventListener('abort', onAbort)
  }
}

function endWithResponse(span: Span, { status, headers }: Response): void {
  span.setAttribute('http.response.status_code', status)
  const requestId = headers.get('x-request-id')
  if (requestId !== null) span.setAttribute('http.response.header.x-request-id', [requestId])
  if (status >= 400) recordFailure(span, String(status))
  span.end()
}

function recordFailure(span: Span, errorType: string): void {
  span.setAttribute('error.type', errorType)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/** Codes of failed connections, such as `ECONNRESET` and `UND_ERR_SOCKET`. */
const ERROR_CODE = /^[A-Z][A-Z_]{2,40}$/

/**
 * Returns the kind of an error of the client, the code of a failed connection, or the name of another error.
 * Messages can contain values.
 */
function getErrorType(error: unknown): string {
  if (error instanceof MintmarkError) return error.kind
  if (!(error instanceof Error)) return 'Error'
  // The error of fetch only reports that it failed. Its cause has the reason.
  const code = getText(error.cause ?? error, 'code') ?? ''
  return ERROR_CODE.test(code) ? code : error.name
}
