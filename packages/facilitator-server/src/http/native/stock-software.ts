import type { Logger } from '@mintmark/server-kit'
import type { HonoRequest, MiddlewareHandler } from 'hono'

/** Stock x402 software shows the seller the beginning of an answer that it refuses. */
export const STOCK_SOFTWARE_NOTICE = 'x402 software needs /x402 at the end of its facilitator URL'

const ROOT_PATHS = new Set(['/supported', '/verify', '/settle'])
const WARNING_INTERVAL_MS = 60_000

/**
 * Logs what to change when a request at the root looks as if stock x402 software sent it, at most once a minute for each
 * path.
 */
export function warnOfStockSoftware(log: Logger, now: () => number = Date.now): MiddlewareHandler {
  const warnedAt = new Map<string, number>()
  return async (context, next) => {
    const { path } = context.req
    if (ROOT_PATHS.has(path) && looksStock(context.req)) {
      const last = warnedAt.get(path)
      if (last === undefined || now() - last >= WARNING_INTERVAL_MS) {
        warnedAt.set(path, now())
        log.warn({ path }, `A request at the root looks like stock x402 software. ${STOCK_SOFTWARE_NOTICE}`)
      }
    }
    return next()
  }
}

/** Stock clients name a content type also without a body, and leave `accept` at their runtime's default. */
function looksStock(request: HonoRequest): boolean {
  const acceptsAnything = (request.header('accept') ?? '*/*') === '*/*'
  return acceptsAnything && request.header('content-type') === 'application/json'
}
