import type { Logger } from '@mintmark/server-kit'
import type { HonoRequest, MiddlewareHandler } from 'hono'

/** Stock x402 software shows the seller the beginning of a response that it rejects. */
export const STOCK_SOFTWARE_NOTICE = 'x402 software needs /x402 at the end of its facilitator URL'

const ROOT_PATHS = new Set(['/supported', '/verify', '/settle'])
const WARNING_INTERVAL_MS = 60_000

/**
 * Logs how to configure stock x402 software when it seems to have sent a request to the root, at most once a
 * minute for each path.
 */
export function warnOfStockSoftware(log: Logger, now: () => number = Date.now): MiddlewareHandler {
  const warnedAt = new Map<string, number>()
  return async (context, next) => {
    const { path } = context.req
    if (ROOT_PATHS.has(path) && isStockRequest(context.req)) {
      const last = warnedAt.get(path)
      if (last === undefined || now() - last >= WARNING_INTERVAL_MS) {
        warnedAt.set(path, now())
        log.warn({ path }, `A request at the root looks like stock x402 software. ${STOCK_SOFTWARE_NOTICE}`)
      }
    }
    return next()
  }
}

/** Stock clients send a content type without a body, and their runtime's default `accept`. */
function isStockRequest(request: HonoRequest): boolean {
  const acceptsAnything = (request.header('accept') ?? '*/*') === '*/*'
  return acceptsAnything && request.header('content-type') === 'application/json'
}
