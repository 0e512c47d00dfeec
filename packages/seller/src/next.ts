import type { x402HTTPResourceServer } from '@x402/core/server'
import { attachToHttpServer } from './attach.ts'
import { type Call, calls } from './call.ts'
import { type SellerOptions, withDefaults } from './options.ts'
import { runCall } from './settle-purchase.ts'
import { answerCall, watchDelivery } from './web-response.ts'

type Handler<Req, Res> = (request: Req) => Promise<Res>

/**
 * Makes purchases of a paid route handler of Next paid once and delivered once.
 *
 * @param wrap `withX402FromHTTPServer` of `@x402/next`.
 * @param handler The route handler.
 * @param http The route and its resource server.
 *
 * @example
 * ```ts
 * export const GET = deliverOnce(withX402FromHTTPServer, handler, new x402HTTPResourceServer(server, routes), { store })
 * ```
 */
export function deliverOnce<Req extends Request, Res extends Response>(
  wrap: (handler: Handler<Req, Res>, http: x402HTTPResourceServer) => (request: Req) => Promise<Response>,
  handler: Handler<Req, Res>,
  http: x402HTTPResourceServer,
  options: SellerOptions,
): (request: Req) => Promise<Response> {
  attachToHttpServer(http)
  const settings = withDefaults(options)
  const paid = wrap(async (request) => {
    const response = await handler(request)
    const call = calls.getStore()
    if (call !== undefined) call.status = response.status
    return response
  }, http)
  return async (request) => {
    const { origin, pathname, search } = new URL(request.url)
    const call: Call = {
      settings,
      readResource: async () => ({
        route: `${request.method} ${origin}${pathname}`,
        query: search,
        body: new Uint8Array(await request.clone().arrayBuffer()),
      }),
      status: 200,
    }
    return watchDelivery(call, answerCall(call, await runCall(call, () => paid(request))))
  }
}
