import {
  cacheLookup,
  createFailedAttemptLimiter,
  FAILED_ATTEMPT_LIMIT,
  readRemoteAddress,
} from '@mintmark/server-kit'
import type { Hono, HonoRequest } from 'hono'

export interface PublishablePreflightOptions {
  /** Whether a publishable key of any project allows an origin. */
  isAllowedOrigin(origin: string): Promise<boolean>
  trustedProxyHops: number
  now?: (() => number) | undefined
}

/** How long browsers may reuse the response to a preflight. A revoked key is refused by the call itself. */
const MAX_AGE_SECONDS = '600'

/**
 * Responds to CORS preflights of calls with a publishable key. A preflight does not contain the key, so it is
 * allowed for the origins of all keys; the call itself is allowed for those of its key. Call it before the
 * routes that `CORS_ORIGINS` applies to.
 */
export function addPublishablePreflights(app: Hono, options: PublishablePreflightOptions): void {
  const { trustedProxyHops, now } = options
  const findOrigin = cacheLookup(
    async (origin: string) => (await options.isAllowedOrigin(origin)) || undefined,
    { now },
  )
  const beginAttempt = createFailedAttemptLimiter(FAILED_ATTEMPT_LIMIT, now)
  app.options('*', async (context, next) => {
    const { req } = context
    const origin = req.header('origin')
    if (origin === undefined || !isPublishablePreflight(req)) return await next()
    const headers = new Headers({
      vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
    })
    const attempt = beginAttempt(readRemoteAddress(context, trustedProxyHops), origin)
    if ((await findOrigin(origin)) !== true) {
      attempt.fail()
      return new Response(null, { status: 403, headers })
    }
    attempt.succeed()
    headers.set('access-control-allow-origin', origin)
    headers.set('access-control-allow-methods', 'GET')
    headers.set('access-control-allow-headers', 'X-Publishable-Key')
    headers.set('access-control-max-age', MAX_AGE_SECONDS)
    return new Response(null, { status: 204, headers })
  })
}

function isPublishablePreflight(request: HonoRequest): boolean {
  if (request.header('access-control-request-method') !== 'GET') return false
  const names = (request.header('access-control-request-headers') ?? '').toLowerCase().split(',')
  return names.some((name) => name.trim() === 'x-publishable-key')
}
