import type { x402HTTPResourceServer } from '@x402/core/server'
import { attachToHttpServer } from './attach.ts'
import { type Call, calls } from './call.ts'
import { type SellerOptions, withDefaults } from './options.ts'
import type { RequestedResource } from './purchase.ts'
import { endCall } from './settle-purchase.ts'

/** What is used of Express's request. */
interface Request {
  readonly method: string
  readonly protocol: string
  readonly originalUrl: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body?: unknown
}
/** What is used of Express's response. */
interface Response {
  readonly statusCode: number
  readonly writableFinished: boolean
  once(event: 'close', listener: () => void): unknown
}

type Middleware<Req, Res, Next> = (request: Req, response: Res, next: Next) => unknown

/**
 * Makes purchases of paid routes of Express paid once and delivered once.
 *
 * Put it behind what parses bodies of paid routes, such as `express.json()`: the body is part of what is bought.
 *
 * @param createMiddleware `paymentMiddlewareFromHTTPServer` of `@x402/express`.
 * @param http The routes and their resource server.
 *
 * @example
 * ```ts
 * app.use(deliverOnce(paymentMiddlewareFromHTTPServer, new x402HTTPResourceServer(server, routes), { store }))
 * ```
 */
export function deliverOnce<Req extends Request, Res extends Response, Next>(
  createMiddleware: (http: x402HTTPResourceServer) => Middleware<Req, Res, Next>,
  http: x402HTTPResourceServer,
  options: SellerOptions,
): (request: Req, response: Res, next: Next) => Promise<void> {
  attachToHttpServer(http)
  const settings = withDefaults(options)
  const middleware = createMiddleware(http)
  return async (request, response, next) => {
    const call: Call = {
      settings,
      readResource: async () => readResource(request),
      readResponse: async () => ({ status: response.statusCode }),
    }
    const end = () => endCall(call, response.writableFinished)
    let isClosed = false
    response.once('close', () => {
      isClosed = true
      if (call.entry?.purchase.state === 'paid') void end()
    })
    await calls.run(call, () => middleware(request, response, next))
    if (isClosed || call.entry?.purchase.state === 'working') await end()
  }
}

function readResource({ method, protocol, headers, originalUrl, body }: Request): RequestedResource {
  const isUnread = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  if (body === undefined && isUnread)
    throw new Error(
      'The body of a paid request was not parsed. Use express.json() or another parser before the payment middleware',
    )
  const [path, query] = originalUrl.split('?', 2)
  return {
    route: `${method} ${protocol}://${headers.host}${path}`,
    ...(query !== undefined && { query }),
    body,
  }
}
