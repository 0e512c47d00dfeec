import { createRateLimiter, type RateLimit } from '@mintmark/server-kit'
import {
  DestinationRefusedError,
  type DestinationRules,
  GetFailedError,
  get,
} from '@mintmark/server-kit/webhooks'
import type { Context, Hono } from 'hono'
import type { PeopleAuth } from '../domains/people/people-auth.ts'
import { version } from '../version.ts'
import { CONSOLE_PATH } from './console-files.ts'
import { readAuthHeaders } from './sign-in-routes.ts'

const TYPES: ReadonlySet<string> = new Set([
  ...['image/avif', 'image/gif', 'image/jpeg', 'image/png', 'image/svg+xml', 'image/webp'],
])
const MAX_BYTES = 5 * 1024 * 1024
const TIMEOUT_MS = 10_000
/** A page of a list has at most a hundred images. */
const IMAGES_OF_A_PERSON: RateLimit = { perSecond: 20, burst: 300 }
/** Images that are read at the same time, for all people. Others wait. */
const MAX_CONCURRENT = 32

/** An image is data: opened by itself it is downloaded, and no script in it runs. */
const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; sandbox",
  'content-disposition': 'attachment',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

export interface ConsoleImageOptions {
  readonly auth: Pick<PeopleAuth, 'findSession'>
  readonly trustedProxyHops: number
  /** Returns which addresses may be read: those of webhooks. */
  readonly getDestinations: () => DestinationRules
  readonly now?: (() => number) | undefined
}

/**
 * Serves images that tenants name, to people who are signed in. Their browsers connect to this server only, so that an image does not tell another
 * site who looks at it, and the policy of the page allows no other site.
 */
export function addConsoleImages(app: Hono, options: ConsoleImageOptions): void {
  const { auth, trustedProxyHops, getDestinations, now } = options
  const images = createRateLimiter(IMAGES_OF_A_PERSON, now)
  const queue = createQueue(MAX_CONCURRENT)
  app.get(`${CONSOLE_PATH}/images`, async (context) => {
    const site = context.req.header('sec-fetch-site')
    if (site !== undefined && site !== 'same-origin')
      return refuse(context, 403, 'Only the console shows images')
    const person = await auth.findSession(readAuthHeaders(context, trustedProxyHops))
    if (person === undefined) return refuse(context, 401, 'Sign in to the console')
    images.take(person.personId)
    return await queue(() => sendImage(context, getDestinations()))
  })
}

/** Returns what runs work, at most `limit` at a time. Other work waits for its turn. */
function createQueue(limit: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running < limit) running += 1
    else await new Promise<void>((resolve) => void waiting.push(resolve))
    try {
      return await work()
    } finally {
      // The next one takes the place of this one.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}

async function sendImage(context: Context, destinations: DestinationRules): Promise<Response> {
  const request = {
    ...destinations,
    ...{ timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES },
    ...{ userAgent: `mintmark-gateway/${version}`, accept: [...TYPES].join() },
  }
  try {
    const { type, body } = await get(context.req.query('address') ?? '', request)
    if (!TYPES.has(type)) return refuse(context, 502, 'The address is no image')
    return context.body(body, 200, {
      ...HEADERS,
      'content-type': type,
      'cache-control': 'private, max-age=3600',
    })
  } catch (error) {
    if (error instanceof DestinationRefusedError) return refuse(context, 400, error.message)
    if (error instanceof GetFailedError) return refuse(context, 502, error.message)
    throw error
  }
}

function refuse(context: Context, status: 400 | 401 | 403 | 502, message: string): Response {
  return context.text(message, status, { ...HEADERS, 'cache-control': 'no-store' })
}
