import { CONSOLE_PATH, createRateLimiter, type RateLimit } from '@mintmark/server-kit'
import {
  AddressReadError,
  DestinationRefusedError,
  type DestinationRules,
  type ReadAddressResult,
  readAddress,
} from '@mintmark/webhooks'
import type { Context, Hono } from 'hono'
import type { PeopleAuth } from '../domains/people/people-auth.ts'
import { createImageQueue, type ImageQueueLimits } from '../http/image-queue.ts'
import { version } from '../version.ts'
import { createImageBody } from './image-body.ts'
import { readAuthHeaders } from './sign-in-routes.ts'

const TYPES: ReadonlySet<string> = new Set([
  ...['image/avif', 'image/gif', 'image/jpeg', 'image/png', 'image/svg+xml', 'image/webp'],
])
const MAX_BYTES = 2 * 1024 * 1024
const TIMEOUT_MS = 10_000
/** For sending an image. Until it is sent, or this time is over, it keeps its place. */
const SEND_TIMEOUT_MS = 30_000
/** A page of a list has at most a hundred images. */
const IMAGES_OF_A_PERSON: RateLimit = { perSecond: 20, burst: 300 }
/** All images that are read or sent need at most 64 MiB. */
const QUEUE: ImageQueueLimits = { places: 32, placesOfCaller: 4, waiting: 1_000, waitingOfCaller: 100 }

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
  /** For a client to read an image. */
  readonly sendTimeoutMs?: number
}

/**
 * Serves images that tenants name, to people who are signed in. Their browsers connect to this server only,
 * so that other sites do not learn who views an image, and the policy of the page allows no other site.
 */
export function addConsoleImages(app: Hono, options: ConsoleImageOptions): void {
  const { auth, trustedProxyHops, getDestinations, now, sendTimeoutMs = SEND_TIMEOUT_MS } = options
  const images = createRateLimiter(IMAGES_OF_A_PERSON, now)
  const enterQueue = createImageQueue(QUEUE)
  app.get(`${CONSOLE_PATH}/images`, async (context) => {
    const site = context.req.header('sec-fetch-site')
    if (site !== undefined && site !== 'same-origin')
      return refuse(context, 403, 'Only the console shows images')
    const person = await auth.findSession(readAuthHeaders(context, trustedProxyHops))
    if (person === undefined) return refuse(context, 401, 'Sign in to the console')
    images.take(person.personId)
    const release = await enterQueue(person.personId, context.req.raw.signal)
    if (release === undefined) {
      context.header('retry-after', '1')
      return refuse(context, 503, 'Too many images are being read. Retry later')
    }
    const image = await readImage(context, getDestinations).catch((error: unknown) => {
      release()
      throw error
    })
    // A response to HEAD has no body that would release the place.
    if (image instanceof Response || context.req.method === 'HEAD') release()
    if (image instanceof Response) return image
    const headers = { ...HEADERS, 'content-type': image.type, 'cache-control': 'private, max-age=3600' }
    if (context.req.method === 'HEAD') return context.body(null, 200, headers)
    const body = createImageBody(image.body, { timeoutMs: sendTimeoutMs, onEnd: release })
    return context.body(body, 200, headers)
  })
}

/** Reads the image that a request names. Returns the response to send if it cannot be read. */
async function readImage(
  context: Context,
  getDestinations: () => DestinationRules,
): Promise<ReadAddressResult | Response> {
  try {
    const image = await readAddress(context.req.query('address') ?? '', {
      ...getDestinations(),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      signal: context.req.raw.signal,
      userAgent: `mintmark-gateway/${version}`,
      accept: [...TYPES].join(),
    })
    return TYPES.has(image.type) ? image : refuse(context, 502, 'The address is no image')
  } catch (error) {
    if (error instanceof DestinationRefusedError) return refuse(context, 400, error.message)
    if (error instanceof AddressReadError) return refuse(context, 502, error.message)
    throw error
  }
}

function refuse(context: Context, status: 400 | 401 | 403 | 502 | 503, message: string): Response {
  return context.text(message, status, { ...HEADERS, 'cache-control': 'no-store' })
}
