import type { IncomingMessage, ServerResponse } from 'node:http'
import type { OperationShape } from '@mintmark/operation'
import type { Hono, Context as HonoContext } from 'hono'
import type { Logger } from 'pino'
import { isOverload } from '../postgres/errors.ts'
import type { ServerMetrics } from '../process/metrics.ts'
import { limitCheck } from './field-limits.ts'
import type { Refuse, Route } from './implement.ts'
import { endsConnection, type IncomingCall, incomingCall, type RawCall } from './raw-call.ts'
import { readInput, readingsOf } from './read-input.ts'
import { declaredRefusal, invalidField, Refusal, type RuleAnswers } from './http-error.ts'
import type { ResponseFormat } from './response-format.ts'
import { byRouting } from './routing.ts'

/** What serving knows of a call before its body is read. */
export interface UnreadCall extends IncomingCall {
  operation: OperationShape
  requestId: string
  log: Logger
  /** Has something done when the call was answered and the answer was sent, or the caller has gone. */
  onEnd(listener: () => void): void
}

/** What serving knows of a call before its handler runs. */
export interface Call<Caller> extends UnreadCall, RawCall {
  caller: Caller
}

/** What a handler leaves besides its data: headers of the answer. */
export interface Answering {
  readonly headers: Headers
}

/** Most answers have no headers of their own, and making an object of them costs as much as checking the input. */
class LazyAnswering implements Answering {
  #headers: Headers | undefined

  get headers(): Headers {
    this.#headers ??= new Headers()
    return this.#headers
  }

  told(): Record<string, string> {
    return this.#headers === undefined ? {} : Object.fromEntries(this.#headers)
  }
}

export interface Serving<Caller, Context> {
  routes: readonly Route<Context>[]
  format: ResponseFormat
  /** What is said where a rule refuses. */
  rules: RuleAnswers
  /**
   * Finds out who calls; throws a Refusal (401, 403, 429). Runs before the input is checked and before the body is read: check the headers
   * first, then `readBody` where the body is signed.
   */
  authenticate(call: UnreadCall): Promise<Caller>
  /**
   * Runs the handler in its context. Where an answer is to be kept (Idempotency-Key), this is the place that wraps it in a
   * transaction.
   */
  run(
    call: Call<Caller>,
    handle: (context: Context) => Promise<unknown>,
    answering: Answering,
  ): Promise<ServedAnswer>
  /** Prepended to the path before its signature is checked; the path of PUBLIC_URL. */
  publicPath?: string
  /** The largest body taken, in bytes. */
  maxBodyBytes?: number
  /** How many proxies before this server append to X-Forwarded-For; 0, the default: the header is not used. */
  trustedProxyHops?: number
  log: Logger
  metrics: ServerMetrics
  now?: () => number
}

/** An answer before it is worded: data, or the JSON text of one that was kept. */
export type ServedAnswer = { data: unknown } | { kept: { status: number; body: string } }

export const MAX_BODY_BYTES = 1024 * 1024

/** A handler's ways to say no. */
function refusing(rules: RuleAnswers): Refuse<never> {
  return {
    refuse(error: never, message?: string): never {
      throw declaredRefusal(error, rules, message)
    },
    invalid(field: string, message: string): never {
      throw invalidField(field, message)
    },
  }
}

/** Adds every route's operation to an application, the answer to what is none, and to what fails outside of operations. */
export function serveOperations<Caller, Context extends object>(
  app: Hono,
  serving: Serving<Caller, Context>,
): void {
  const {
    format,
    metrics,
    log,
    publicPath = '',
    maxBodyBytes = MAX_BODY_BYTES,
    trustedProxyHops = 0,
  } = serving
  const refuse = refusing(serving.rules)
  const routes = serving.routes
    .map((route) => ({ ...route, checkLimits: limitCheck(route.operation, route.limits) }))
    .sort((a, b) => byRouting(a.operation, b.operation))
  const patterns = routes.map((route) => ({
    route,
    pattern: new RegExp(`^${withParameters(route.operation, (_, digits) => (digits ? '[0-9]+' : '[^/]+'))}$`),
    // The same path with anything where a number belongs, by the parameter's name.
    loose: new RegExp(
      `^${withParameters(route.operation, (name, digits) => (digits ? `(?<${name}>[^/]+)` : '[^/]+'))}$`,
    ),
  }))

  for (const route of routes) {
    const path = withParameters(route.operation, (name, digits) => `:${name}${digits ? '{[0-9]+}' : ''}`)
    app.on(route.operation.method, path, (context) => answer(context, route))
  }

  app.notFound((context) => {
    const allowed = patterns
      .filter(({ pattern }) => pattern.test(context.req.path))
      .map(({ route }) => route.operation.method)
    if (allowed.length === 0) {
      for (const { route, loose } of patterns) {
        if (route.operation.method !== context.req.method) continue
        const found = Object.entries(loose.exec(context.req.path)?.groups ?? {})
        const misfit = found.find(([, text]) => !/^[0-9]+$/.test(text))
        if (misfit) return answer(context, route, misfit[0])
      }
    }
    const refusal =
      allowed.length > 0
        ? new Refusal(405, `This path takes ${allowed.join(', ')}`)
        : new Refusal(404, 'There is no such operation')
    const requestId = crypto.randomUUID()
    metrics.call('none', refusal.status, 0)
    log.info({ requestId, method: context.req.method, status: refusal.status }, 'no operation')
    return json(refusal.status, format.failure(refusal), {
      'x-request-id': requestId,
      ...(endsConnection(context.req.raw) && { connection: 'close' }),
      ...(allowed.length > 0 && { allow: allowed.join(', ') }),
    })
  })

  app.onError((error, context) => {
    const requestId = crypto.randomUUID()
    const refusal = refusalOf(error)
    if (refusal.status >= 500)
      log.error({ requestId, method: context.req.method, err: error }, 'request failed')
    return json(refusal.status, format.failure(refusal), { 'x-request-id': requestId })
  })

  /** @param misfit The path's parameter that should be a number and is none. */
  async function answer(
    context: HonoContext,
    route: (typeof routes)[number],
    misfit?: string,
  ): Promise<Response> {
    const started = performance.now()
    const { operation } = route
    const requestId = crypto.randomUUID()
    const answering = new LazyAnswering()
    const { remoteAddress, onEnd, sent } = connectionOf(context, trustedProxyHops)
    const incoming = incomingCall(context.req, { publicPath, maxBodyBytes, remoteAddress })
    const call = Object.assign(incoming, { operation, requestId, log, onEnd })
    let status = 200
    let body: string | null
    try {
      call.checkAnnouncedBody()
      const caller = await serving.authenticate(call)
      const bytes = await call.readBody()
      if (misfit !== undefined) throw invalidField(misfit, 'Expected digits')
      const params = operation.params ? context.req.param() : {}
      const input = readInput(operation, { params, query: call.query, body: bytes }, route.checkLimits)
      const served = await serving.run(
        Object.assign(call, { caller, body: bytes }),
        async (handlerContext) => route.handle(input as never, Object.assign(handlerContext, refuse)),
        answering,
      )
      if ('kept' in served) {
        status = served.kept.status
        body = served.kept.body
      } else {
        const told = operation.result === 'header' || operation.result === 'none' ? undefined : served.data
        body = told === undefined ? null : JSON.stringify(format.success(told, operation))
      }
    } catch (error) {
      const refusal = refusalOf(error)
      status = refusal.status
      body = JSON.stringify(format.failure(refusal, operation))
      if (refusal.retryAfter !== undefined) answering.headers.set('retry-after', String(refusal.retryAfter))
      if (status === 503)
        log.warn({ requestId, operation: operation.id, reason: reasonOf(error) }, 'overloaded')
      else if (status >= 500) log.error({ requestId, operation: operation.id, err: error }, 'call failed')
    }
    sent()
    const seconds = (performance.now() - started) / 1000
    metrics.call(operation.id, status, seconds)
    log.info({ requestId, operation: operation.id, status, ms: Math.round(seconds * 1e6) / 1e3 }, 'call')
    const headers = answering.told()
    headers['x-request-id'] = requestId
    if (!call.isBodyRead && endsConnection(context.req.raw)) headers.connection = 'close'
    if (body !== null) headers['content-type'] = 'application/json'
    return new Response(body, { status, headers })
  }
}

/** The path with its parameters written anew. A number's takes digits alone, so that a literal segment is never taken for one. */
function withParameters(
  { path, params = {} }: OperationShape,
  write: (name: string, digits: boolean) => string,
): string {
  const readings = readingsOf(params)
  return path.replace(/\{(\w+)\}/g, (_, name: string) => write(name, readings.get(name) === 'number'))
}

/** Converts an error to a refusal. An unexpected error becomes a 500, and its message appears only in the log. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (isOverload(error)) {
    return new Refusal(503, 'The database is busy. Retry later', { retryAfter: 1 })
  }
  return new Refusal(500, 'The server failed; the log knows the request id')
}

/** Why a call ended in 503, in a sentence without a stack. */
function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** What `@hono/node-server` hands over with a request; absent where an application is called without a server. */
interface NodeBindings {
  readonly incoming?: IncomingMessage
  readonly outgoing?: ServerResponse
}

/** The connection of a call: who called, and when the answer has left. */
function connectionOf(context: HonoContext, trustedProxyHops: number) {
  const { incoming, outgoing } = (context.env ?? {}) as NodeBindings
  let listeners: (() => void)[] | undefined
  const end = () => {
    const ended = listeners ?? []
    listeners = undefined
    for (const listener of ended) listener()
  }
  const forwarded = trustedProxyHops === 0 ? undefined : context.req.header('x-forwarded-for')
  return {
    // A call that did not come through the proxies has the address of its connection.
    remoteAddress: forwarded?.split(',').at(-trustedProxyHops)?.trim() ?? incoming?.socket.remoteAddress,
    onEnd(listener: () => void) {
      listeners ??= []
      listeners.push(listener)
    },
    /** The answer is made. A caller that reads a large one slowly still occupies its place. */
    sent() {
      if (listeners === undefined) return
      if (outgoing === undefined || outgoing.destroyed) end()
      else outgoing.once('close', end)
    },
  }
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  })
}
