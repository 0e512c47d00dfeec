import { type Role, session } from '@mintmark/admin'
import type { OperationShape } from '@mintmark/operation'
import {
  cacheLookup,
  createFailedAttemptLimiter,
  FAILED_ATTEMPT_LIMIT,
  HttpError,
  type RateLimit,
  type UnauthenticatedCall,
} from '@mintmark/server-kit'
import type { Caller, CallingPerson, EnterProject } from './authentication.ts'
import { createCharge } from './call-charge.ts'
import { grantsScope, isOperatorScope, mayCall } from './roles.ts'

/**
 * The header of calls by pages of this server: the project's id, or `none`. A page of another origin cannot
 * send it.
 */
export const SESSION_HEADER = 'x-mintmark-session'
const OTHER_CREDENTIALS = ['x-api-key', 'x-signature', 'x-publishable-key']

const NO_PROJECT = 'none'
const PROJECT = /^[1-9]\d{0,14}$/

export interface SessionAuthenticationOptions {
  /** Finds who is signed in by the header Cookie, and what the person may do. */
  findPerson(cookies: string): Promise<CallingPerson | undefined>
  /** Extends the session of a person who uses it. Returns the cookies for the response. */
  extendSession(cookies: string, person: CallingPerson): Promise<readonly string[]>
  /** The rate of each person. */
  rateLimit: RateLimit
  enter: EnterProject
  /** The origin of this server as browsers see it. */
  ownOrigin: string
  now?: (() => number) | undefined
}

/**
 * Creates the authentication of calls by people who are signed in to the console. The cookie says who calls,
 * the header which project the call is for, and the person's role there what the call may do. Pages of other
 * origins cannot make such calls: their browsers neither send the cookie with them nor, without the
 * permission of a preflight, the header.
 */
export function createSessionAuthentication(options: SessionAuthenticationOptions) {
  const { ownOrigin, now = Date.now } = options
  const findPerson = cacheLookup(options.findPerson, { now })
  const beginAttempt = createFailedAttemptLimiter(FAILED_ATTEMPT_LIMIT, now)
  const charge = createCharge(options.rateLimit, now)

  return async function authenticate(call: UnauthenticatedCall): Promise<Caller> {
    const { operation, remoteAddress } = call
    call.setHeader('vary', 'Cookie, X-Mintmark-Session')
    call.setHeader('cache-control', 'no-store')
    if (OTHER_CREDENTIALS.some((name) => call.header(name) !== undefined))
      throw new HttpError(401, 'Send a key or a session, not both')
    checkOrigin(call, ownOrigin)
    const cookies = call.header('cookie') ?? ''
    const attempt = beginAttempt(remoteAddress, cookies)
    const person = cookies === '' ? undefined : await findPerson(cookies)
    if (person === undefined) {
      attempt.fail()
      throw new HttpError(401, 'Nobody is signed in, or the session has expired. Sign in')
    }
    attempt.succeed()
    const target = call.header(SESSION_HEADER) ?? ''
    const { project, wallet, role } = findTarget(person, target)
    checkPermission(person, role, operation)
    // Its header states no length if the body is sent in chunks.
    const body = await call.readBody()
    if (operation.result !== 'event-stream')
      call.onEnd(options.enter(project === 0 ? person.personId : project))
    charge(call, person.personId, body.length)
    if (isUse(operation)) {
      // Only the cookie of the session changes.
      for (const cookie of await options.extendSession(cookies, person)) call.setHeader('set-cookie', cookie)
    }
    async function isAuthorized(): Promise<boolean> {
      const current = await findPerson(cookies)
      const membership = current?.memberships.find(({ projectId }) => projectId === project)
      return membership !== undefined && mayCall(membership.role, operation)
    }
    return {
      project,
      wallet,
      name: person.name,
      isPublic: false,
      isAuthorized,
      person,
      actor: `person:${person.personId}`,
      holdsScope: (scope) => role !== undefined && grantsScope(role, scope),
    }
  }
}

/**
 * Whether a call shows that a person uses the console: it changes something, or the page was opened, or shown
 * again. A page that nobody looks at makes other calls too, because events refresh it.
 */
function isUse({ id, effect }: OperationShape): boolean {
  return effect === 'write' || id === session.get.id
}

/** A browser names the page's origin with every call that is not a GET, and no script can change it. */
function checkOrigin({ method, header }: UnauthenticatedCall, ownOrigin: string): void {
  const origin = header('origin')
  const isOwn = origin === undefined ? method === 'GET' : origin === ownOrigin
  const site = header('sec-fetch-site')
  if (!isOwn || (site !== undefined && site !== 'same-origin'))
    throw new HttpError(403, 'Calls with a session are accepted only from pages of this server')
}

interface Target {
  /** 0 for an operation that belongs to no project. */
  readonly project: number
  readonly wallet: string
  readonly role: Role | undefined
}

function findTarget({ memberships }: CallingPerson, target: string): Target {
  if (target === NO_PROJECT) return { project: 0, wallet: '', role: undefined }
  if (!PROJECT.test(target))
    throw new HttpError(400, `X-Mintmark-Session: expected a project's id or ${NO_PROJECT}`)
  const membership = memberships.find(({ projectId }) => projectId === Number(target))
  // The same response for a project that does not exist.
  if (membership === undefined) throw new HttpError(403, 'You have no role in this project')
  const { projectId, wallet, role } = membership
  return { project: projectId, wallet, role }
}

function checkPermission(person: CallingPerson, role: Role | undefined, operation: OperationShape): void {
  const { scope } = operation
  if (scope === undefined) return
  if (isOperatorScope(scope)) {
    if (person.isOperator) return
    throw new HttpError(403, 'Only operators of this server may do this')
  }
  if (role === undefined) throw new HttpError(400, 'X-Mintmark-Session: name the project of this call')
  if (!mayCall(role, operation))
    throw new HttpError(403, `Your role in this project, ${role}, does not allow this`)
}
