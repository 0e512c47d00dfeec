import type { ServerResponse } from 'node:http'
import type { x402HTTPResourceServer } from '@x402/core/server'
import { attachToHttpServer } from './attach.ts'
import type { Call } from './call.ts'
import { type SellerOptions, withDefaults } from './options.ts'
import { endCall, runCall } from './settle-purchase.ts'
import { answerCall, watchDelivery } from './web-response.ts'

/** What is used of Hono's context. */
interface Context {
  readonly req: { readonly method: string; readonly url: string; arrayBuffer(): Promise<ArrayBuffer> }
  readonly env: unknown
  res: Response
}
type Next = () => Promise<void>
// biome-ignore lint/suspicious/noConfusingVoidType: the type of Hono.
type Middleware<C> = (context: C, next: Next) => Promise<Response | undefined | void>

/**
 * Makes purchases of paid routes of Hono paid once and delivered once.
 *
 * @param createMiddleware `paymentMiddlewareFromHTTPServer` of `@x402/hono`.
 * @param http The routes and their resource server.
 *
 * @example
 * ```ts
 * app.use(deliverOnce(paymentMiddlewareFromHTTPServer, new x402HTTPResourceServer(server, routes), { store }))
 * ```
 */
export function deliverOnce<C extends Context>(
  createMiddleware: (http: x402HTTPResourceServer) => Middleware<C>,
  http: x402HTTPResourceServer,
  options: SellerOptions,
): (context: C, next: Next) => Promise<Response | undefined> {
  attachToHttpServer(http)
  const settings = withDefaults(options)
  const middleware = createMiddleware(http)
  return async (context, next) => {
    const call: Call = {
      settings,
      async readResource() {
        const { origin, pathname, search } = new URL(context.req.url)
        const body = new Uint8Array(await context.req.arrayBuffer())
        return { route: `${context.req.method} ${origin}${pathname}`, query: search, body }
      },
      status: 200,
    }
    const work = async () => {
      await next()
      call.status = context.res.status
    }
    const stock = await runCall(call, () => middleware(context, work))
    if (call.entry?.purchase.state !== 'paid' && call.answer?.kind !== 'redeem') {
      await endCall(call, true)
      return stock ?? undefined
    }
    const response = answerCall(call, stock ?? context.res)
    const outgoing = readOutgoing(context.env)
    if (outgoing?.destroyed) await endCall(call, false)
    else outgoing?.once('close', () => void endCall(call, outgoing.writableFinished))
    const watched = outgoing === undefined ? await watchDelivery(call, response) : response
    if (stock) return watched
    // Headers of the old response are not to be merged.
    context.res = undefined as never
    context.res = watched
    return undefined
  }
}

/** Returns Node's response, if Hono's server for Node runs the application: it knows what was written. */
const readOutgoing = (env: unknown) => (env as { outgoing?: ServerResponse } | undefined)?.outgoing
