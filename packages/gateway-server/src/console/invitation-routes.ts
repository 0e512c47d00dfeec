import { randomUUID } from 'node:crypto'
import {
  createConcurrencyLimiter,
  createFailedAttemptLimiter,
  createRateLimiter,
  FAILED_ATTEMPT_LIMIT,
  type RateLimit,
  readRemoteAddress,
  runAs,
  toAddressGroup,
} from '@mintmark/server-kit'
import type { Context, Hono } from 'hono'
import * as v from 'valibot'
import type { Db } from '../database/tables.ts'
import { acceptInvitation, findInvitation } from '../domains/people/invitations-store.ts'
import {
  isPersonName,
  MAX_PASSWORD_CHARACTERS,
  MIN_PASSWORD_CHARACTERS,
  type PeopleAuth,
} from '../domains/people/people-auth.ts'
import { readAuthHeaders, refuseForeignPost } from './sign-in-routes.ts'

export interface InvitationOptions {
  readonly auth: PeopleAuth
  /** Connections of the schema's owner. */
  readonly db: Db
  /** The origin of this server as browsers see it. */
  readonly ownOrigin: string
  readonly trustedProxyHops: number
  readonly now?: (() => number) | undefined
}

const PATH = '/console/invitations/:token{[\\w-]{43}}'
/** How often one remote address may accept invitations: each hashes a password. */
const ACCEPTANCE_LIMIT: RateLimit = { perSecond: 2, burst: 20 }
const NO_INVITATION = 'This invitation was accepted or revoked, or has expired. Ask for a new one'
const NEW_PERSON = v.object({
  name: v.pipe(v.string(), v.trim(), v.minLength(1), v.check(isPersonName)),
  password: v.pipe(v.string(), v.minLength(MIN_PASSWORD_CHARACTERS), v.maxLength(MAX_PASSWORD_CHARACTERS)),
})

const REFUSALS = {
  'not found': { status: 404, message: NO_INVITATION },
  'other person': {
    status: 403,
    message: 'This invitation is for another person. Sign out, then open it again',
  },
  'sign in first': {
    status: 409,
    message:
      'This email address already has an account. Sign in, then open the invitation again. If the account is not yours, ask an operator of this server to remove it',
  },
} as const

/** Serves the invitations that people open by their links. The token in the address is the permission. */
export function addInvitationRoutes(app: Hono, options: InvitationOptions): void {
  const { db, trustedProxyHops, now } = options
  const beginAttempt = createFailedAttemptLimiter(FAILED_ATTEMPT_LIMIT, now)
  const acceptances = createRateLimiter(ACCEPTANCE_LIMIT, now)
  // A password is hashed before the invitation is accepted. One place for each token keeps a link that is sent
  // many times from occupying the threads that hash.
  const beginAcceptance = createConcurrencyLimiter(1)
  app.get(PATH, async (context) => {
    const token = context.req.param('token')
    const attempt = beginAttempt(readRemoteAddress(context, trustedProxyHops), token)
    const invitation = await findInvitation(db, token)
    if (invitation !== undefined) {
      attempt.succeed()
      return Response.json(invitation, { status: 200, headers: NO_STORE })
    }
    attempt.fail()
    return Response.json({ message: NO_INVITATION }, { status: 404, headers: NO_STORE })
  })
  app.post(PATH, async (context) => {
    const refusal = refuseForeignPost(context, options.ownOrigin)
    if (refusal !== undefined) return refusal
    const token = context.req.param('token')
    const remoteAddress = readRemoteAddress(context, trustedProxyHops)
    const attempt = beginAttempt(remoteAddress, token)
    if (remoteAddress !== undefined) acceptances.take(toAddressGroup(remoteAddress))
    const session = await options.auth.findSession(context.req.raw.headers)
    if (session !== undefined) {
      const { personId } = session
      const outcome = await runAs(`person:${personId}`, () => acceptInvitation(db, token, { personId }))
      if (outcome !== 'accepted') return refuse(outcome, attempt)
      return Response.json({}, { status: 200, headers: NO_STORE })
    }
    const end = beginAcceptance(token)
    try {
      return await acceptAsNewPerson(context, token, { ...options, fail: () => attempt.fail() })
    } finally {
      end()
    }
  })
}

const NO_STORE = { 'cache-control': 'no-store' }

function refuse(outcome: keyof typeof REFUSALS, attempt: { fail(): void }): Response {
  const { status, message } = REFUSALS[outcome]
  if (outcome === 'not found') attempt.fail()
  return Response.json({ message }, { status, headers: NO_STORE })
}

/**
 * Creates the person, then signs in with the new password, so that the response has the cookies of a session.
 */
async function acceptAsNewPerson(
  context: Context,
  token: string,
  { auth, db, trustedProxyHops, fail }: InvitationOptions & { fail(): void },
): Promise<Response> {
  const invitation = await findInvitation(db, token)
  if (invitation === undefined) return refuse('not found', { fail })
  if (!invitation.isNewPerson) return refuse('sign in first', { fail })
  const parsed = v.safeParse(NEW_PERSON, await readJson(context))
  if (!parsed.success) {
    const message = `Enter a name, and a password of ${MIN_PASSWORD_CHARACTERS} to ${MAX_PASSWORD_CHARACTERS} characters`
    return Response.json({ message }, { status: 400, headers: NO_STORE })
  }
  const { name, password } = parsed.output
  const account = { name, passwordHash: await auth.hashPassword(password) }
  const personId = randomUUID()
  const outcome = await runAs(`person:${personId}`, () => acceptInvitation(db, token, { personId, account }))
  if (outcome !== 'accepted') return refuse(outcome, { fail })
  const cookies = await auth.signIn(invitation.email, password, readAuthHeaders(context, trustedProxyHops))
  const response = Response.json({}, { headers: NO_STORE })
  for (const cookie of cookies) response.headers.append('set-cookie', cookie)
  return response
}

async function readJson({ req }: Context): Promise<unknown> {
  try {
    return await req.json()
  } catch {
    return undefined
  }
}
