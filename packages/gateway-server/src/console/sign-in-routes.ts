import {
  createRateLimiter,
  type Logger,
  type RateLimit,
  readRemoteAddress,
  runAs,
  toAddressGroup,
} from '@mintmark/server-kit'
import type { Context, Hono } from 'hono'
import { AUTH_PATH, CLIENT_ADDRESS_HEADER, type PeopleAuth } from '../domains/people/people-auth.ts'

/** Attempts with the password of one email address, from any remote address. */
const PASSWORD_ATTEMPTS: RateLimit = { perSecond: 0.1, burst: 10 }
const WRONG_PASSWORD_STATUS = 401
/** Requests of one remote address for a new password. */
const RESET_REQUESTS: RateLimit = { perSecond: 1 / 60, burst: 10 }
const NO_STORE = { 'cache-control': 'no-store' }

export interface SignInOptions {
  readonly auth: PeopleAuth
  /** The origin of this server as browsers see it. */
  readonly ownOrigin: string
  readonly trustedProxyHops: number
  /** Whether people can get a link for a new password. */
  readonly sendsMails: boolean
  readonly log: Logger
  readonly now?: (() => number) | undefined
}

/**
 * Serves the endpoints of the authentication library: signing in and out, second factors, passkeys and
 * sessions.
 */
export function addSignInRoutes(app: Hono, options: SignInOptions): void {
  const { auth, ownOrigin, trustedProxyHops, now } = options
  const attempts = createRateLimiter(PASSWORD_ATTEMPTS, now)
  addResetRoutes(app, options)
  app.on(['GET', 'POST'], `${AUTH_PATH}/*`, async (context) => {
    const refusal = refuseForeignPost(context, ownOrigin)
    if (refusal !== undefined) return refusal
    const body = context.req.method === 'GET' ? '' : await context.req.text()
    const email = findEmail(context.req.path, body)
    if (email !== undefined) attempts.take(email)
    const request = toAuthRequest(context, trustedProxyHops, body)
    const session = request.method === 'POST' ? await auth.findSession(request.headers) : undefined
    const handle = () => auth.handle(request)
    const response = await (session ? runAs(`person:${session.personId}`, handle) : handle())
    // Only attempts with a wrong password count.
    if (email !== undefined && response.status !== WRONG_PASSWORD_STATUS) attempts.charge(email, -1)
    const headers = new Headers(response.headers)
    headers.set('cache-control', 'no-store')
    return new Response(response.body, { status: response.status, headers })
  })
}

/**
 * Serves requests for a link by which a person sets a new password, and whether the server sends such links.
 * Nobody waits until the account is found and the mail is sent: the response and its time are the same for an
 * address without an account.
 */
function addResetRoutes(app: Hono, options: SignInOptions): void {
  const { auth, ownOrigin, trustedProxyHops, sendsMails, log, now } = options
  const requests = createRateLimiter(RESET_REQUESTS, now)
  app.get(`${AUTH_PATH}/sends-mails`, () => Response.json({ sendsMails }, { headers: NO_STORE }))
  if (!sendsMails) return
  app.post(`${AUTH_PATH}/request-password-reset`, async (context) => {
    const refusal = refuseForeignPost(context, ownOrigin)
    if (refusal !== undefined) return refusal
    const remoteAddress = readRemoteAddress(context, trustedProxyHops)
    if (remoteAddress !== undefined) requests.take(toAddressGroup(remoteAddress))
    const request = toAuthRequest(context, trustedProxyHops, await context.req.text())
    auth.handle(request).catch((error) => log.error({ part: 'mail', err: error }, 'a request failed'))
    return Response.json({}, { headers: NO_STORE })
  })
}

/**
 * Refuses a request that could come from a form of another website. The library does so too, but accepts
 * forms and requests without an origin, by which a page could sign its visitors in as somebody else.
 */
export function refuseForeignPost({ req }: Context, ownOrigin: string): Response | undefined {
  if (req.method !== 'POST') return undefined
  if (req.header('origin') !== ownOrigin)
    return Response.json({ message: 'Requests are accepted only from the console' }, { status: 403 })
  const type = req.header('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type === 'application/json') return undefined
  return Response.json({ message: 'Content-Type: expected application/json' }, { status: 415 })
}

/** Returns the email address of an attempt to sign in with a password. */
function findEmail(path: string, body: string): string | undefined {
  if (!path.endsWith('/sign-in/email')) return undefined
  try {
    const { email } = JSON.parse(body) as { email?: unknown }
    return typeof email === 'string' ? email.toLowerCase().slice(0, 320) : undefined
  } catch {
    // The library refuses the body.
    return undefined
  }
}

/**
 * Copies the headers of a request for the authentication library: with the caller's address, and without
 * those that claim another one.
 */
export function readAuthHeaders(context: Context, trustedProxyHops: number): Headers {
  const headers = new Headers(context.req.raw.headers)
  for (const name of [...headers.keys()]) if (name.startsWith('x-forwarded-')) headers.delete(name)
  headers.delete(CLIENT_ADDRESS_HEADER)
  headers.delete('content-length')
  const address = readRemoteAddress(context, trustedProxyHops)
  if (address !== undefined) headers.set(CLIENT_ADDRESS_HEADER, address)
  return headers
}

function toAuthRequest(context: Context, trustedProxyHops: number, body: string): Request {
  const { url, method } = context.req
  const headers = readAuthHeaders(context, trustedProxyHops)
  return new Request(url, { method, headers, ...(method !== 'GET' && { body }) })
}
