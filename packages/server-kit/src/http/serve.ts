import type { Hono, Context as HonoContext } from 'hono'
import type { Logger } from 'pino'
import type { ServerMetrics } from '../process/metrics.ts'
import { traceCall } from '../tracing/trace-call.ts'
import type { Tracing } from '../tracing/tracing.ts'
import type { CallHandling } from './call.ts'
import {
  type CompiledRoute,
  compileRoutes,
  findRouteWithInvalidParam,
  listAllowedMethods,
} from './compile-routes.ts'
import { HttpError, toHttpError } from './http-error.ts'
import { createRefuse, type Route } from './implement.ts'
import { mustCloseConnection } from './raw-call.ts'
import type { ResponseFormat } from './response-format.ts'
import { type CallEnvironment, runCall } from './run-call.ts'

export interface ServeOptions<Caller, Context> extends CallHandling<Caller, Context> {
  routes: readonly Route<Context>[]
  format: ResponseFormat
  /**
   * What a client with the base URL of another server should know. It ends the response to an unknown path.
   */
  unknownPathAdvice?: string | undefined
  /** The server's address. The header `Link` of failures names the page there that explains all errors. */
  publicUrl?: string | undefined
  /** The path of PUBLIC_URL. It is prepended to the path of a call before the signature is checked. */
  publicPath?: string
  /** The maximum size of a request body, in bytes. */
  maxBodyBytes?: number
  /**
   * The number of proxies before this server that append to X-Forwarded-For. 0, the default: the header is
   * ignored.
   */
  trustedProxyHops?: number
  log: Logger
  metrics: ServerMetrics
  /**
   * The clock of rules, such as whether a sale ends in the future, in milliseconds since the epoch. Default:
   * `Date.now`.
   */
  clock?: (() => number) | undefined
  /** Where each call is a span. Default: calls are not traced. */
  tracing?: Tracing | undefined
}

export const MAX_BODY_BYTES = 1024 * 1024

/**
 * Adds the operation of every route to an application, the responses to unknown paths and methods, and the
 * response to errors outside of operations.
 */
export function serveOperations<Caller, Context extends object>(
  app: Hono,
  options: ServeOptions<Caller, Context>,
): void {
  const environment = createCallEnvironment(options)
  const respond = createResponder(environment, options.tracing)
  const routes = compileRoutes(options.routes)
  for (const route of routes) {
    app.on(route.operation.method, route.honoPath, (context) => respond(route, context))
  }
  const { unknownPathAdvice: advice } = options
  app.notFound((context) => respondToUnknownPath(environment, routes, context, { respond, advice }))
  app.onError((error, context) => respondToError(environment, error, context))
}

/** Responds to a call of a route; see `runCall`. */
type Responder<Context> = (
  route: CompiledRoute<Context>,
  context: HonoContext,
  invalidParam?: string,
) => Promise<Response>

function createResponder<Caller, Context extends object>(
  environment: CallEnvironment<Caller, Context>,
  tracing: Tracing | undefined,
): Responder<Context> {
  const respond: Responder<Context> = (...call) => runCall(environment, ...call)
  if (tracing === undefined) return respond
  return (route, context, invalidParam) =>
    traceCall(
      tracing,
      route.operation,
      (name) => context.req.header(name),
      () => respond(route, context, invalidParam),
    )
}

function createCallEnvironment<Caller, Context>(
  options: ServeOptions<Caller, Context>,
): CallEnvironment<Caller, Context> {
  const { publicUrl, publicPath = '', maxBodyBytes = MAX_BODY_BYTES, trustedProxyHops = 0 } = options
  const base = publicUrl?.replace(/\/$/, '')
  return {
    format: options.format,
    publicPath,
    maxBodyBytes,
    trustedProxyHops,
    failureHeaders: base === undefined ? {} : { link: `<${base}/docs/errors>; rel="help"` },
    log: options.log,
    metrics: options.metrics,
    refuse: createRefuse(options.clock),
    authenticate: (call) => options.authenticate(call),
    run: (...call) => options.run(...call),
  }
}

/**
 * Responds with 405 to a method that the path does not support, and with 404 to an unknown path. A path that
 * differs from an operation's only in a parameter that must be a number is a call of the operation with
 * invalid input.
 */
function respondToUnknownPath<Caller, Context extends object>(
  environment: CallEnvironment<Caller, Context>,
  routes: readonly CompiledRoute<Context>[],
  context: HonoContext,
  { respond, advice }: { respond: Responder<Context>; advice: string | undefined },
): Response | Promise<Response> {
  const { method, path } = context.req
  const allowed = listAllowedMethods(routes, path)
  if (allowed.length === 0) {
    const match = findRouteWithInvalidParam(routes, method, path)
    if (match) return respond(match.route, context, match.invalidParam)
  }
  const httpError =
    allowed.length > 0
      ? new HttpError(405, `Method not allowed. This path supports ${allowed.join(', ')}`)
      : new HttpError(
          404,
          ['No operation has this path', advice, 'The reference is at /docs'].filter(Boolean).join('. '),
        )
  const { format, metrics, log, failureHeaders } = environment
  const requestId = crypto.randomUUID()
  metrics.call('none', httpError.status, 0)
  log.info({ requestId, method, status: httpError.status }, 'no operation')
  return json(httpError.status, format.failure(httpError), {
    'x-request-id': requestId,
    ...failureHeaders,
    ...(mustCloseConnection(context.req.raw) && { connection: 'close' }),
    ...(allowed.length > 0 && { allow: allowed.join(', ') }),
  })
}

function respondToError(
  { format, log, failureHeaders }: Pick<CallEnvironment<never, never>, 'format' | 'log' | 'failureHeaders'>,
  error: Error,
  context: HonoContext,
): Response {
  const requestId = crypto.randomUUID()
  const httpError = toHttpError(error)
  if (httpError.status >= 500) {
    log.error({ requestId, method: context.req.method, err: error }, 'request failed')
  }
  return json(httpError.status, format.failure(httpError), {
    'x-request-id': requestId,
    ...failureHeaders,
  })
}

/** Creates a JSON response. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  })
}
