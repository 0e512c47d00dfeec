import type { IncomingMessage, ServerResponse } from 'node:http'
import type { x402HTTPResourceServer } from '@x402/core/server'
import { attachToHttpServer } from './attach.ts'
import type { Call } from './call.ts'
import { type SellerOptions, withDefaults } from './options.ts'
import { isRecord, type RequestedResource } from './purchase.ts'
import { endCall, runCall } from './settle-purchase.ts'

/** What is used of Express's request. */
type Request = IncomingMessage & {
  readonly protocol: string
  readonly originalUrl: string
  readonly body?: unknown
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
export function deliverOnce<Req extends Request, Res extends ServerResponse, Next>(
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
      get status() {
        return response.statusCode
      },
    }
    let isWhole: boolean | undefined
    response.once('close', () => {
      // Node 22 also finishes a response that ends after its connection closed.
      isWhole = response.writableFinished
      if (call.entry?.purchase.state === 'paid') void endCall(call, isWhole)
    })
    await runCall(call, () => middleware(request, response, next))
    if (isWhole !== undefined || call.entry?.purchase.state === 'working')
      await endCall(call, isWhole === true)
  }
}

function readResource(request: Request): RequestedResource {
  const { method, protocol, headers, originalUrl, body } = request
  const isObject = isRecord(body) && !(body instanceof Uint8Array)
  if (body === undefined || (isObject && Object.keys(body).length === 0)) requireRead(request)
  const end = originalUrl.indexOf('?')
  const [path, query] = end < 0 ? [originalUrl, ''] : [originalUrl.slice(0, end), originalUrl.slice(end + 1)]
  return { route: `${method} ${protocol}://${headers.host}${path}`, query, body }
}

/** Throws for a request that has a body, unless it is an empty object: Express 4 also makes one of what it does not parse. */
function requireRead({ headers, body, readableDidRead }: Request): void {
  if (headers['transfer-encoding'] === undefined && !Number(headers['content-length'] ?? 0)) return
  if (body !== undefined && readableDidRead && String(headers['content-type']).includes('json')) return
  throw new Error(
    'The body of a paid request was not parsed. Use express.json() or another parser before the payment middleware',
  )
}
