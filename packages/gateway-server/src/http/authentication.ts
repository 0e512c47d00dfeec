import type { Role } from '@mintmark/admin'
import { createVerifier, type SignatureScheme, type VerificationFailure } from '@mintmark/core-auth'
import { SIGNATURE_REPLAYED, STALE_TIMESTAMP } from '@mintmark/envelope'
import type { OperationShape } from '@mintmark/operation'
import {
  cacheLookup,
  createFailedAttemptLimiter,
  FAILED_ATTEMPT_LIMIT,
  HttpError,
  type RateLimit,
  refusal,
  runAs,
  type UnauthenticatedCall,
} from '@mintmark/server-kit'
import { ALL_SCOPES, type LiveKey } from '../keys/keys-store.ts'
import { createCharge } from './call-charge.ts'
import { refuseMoved } from './moving-projects.ts'
import { ADMIN_SCOPES, isOperatorScope } from './roles.ts'

// The same response for both, so that it does not reveal which keys exist.
const createWrongKeyError = () => new HttpError(401, 'The key or the signature is wrong')

const CREATE_ERROR: Record<VerificationFailure, () => HttpError> = {
  missing: () =>
    new HttpError(
      401,
      'X-Api-Key, X-Signature and X-Timestamp (milliseconds since the epoch) are required. Check that the API key and its secret are set',
    ),
  unknown_key: createWrongKeyError,
  bad_signature: createWrongKeyError,
  stale: () => refusal(STALE_TIMESTAMP),
  replayed: () => refusal(SIGNATURE_REPLAYED),
}

/**
 * Begins a call of a project and returns the function that ends it; throws 429 when the project has too many.
 * Signed calls and those of people share the limit. A call for no project has the id of its person.
 */
export type EnterProject = (project: number | string) => () => void

export interface AuthenticationOptions {
  findKey(apiKey: string): Promise<LiveKey | undefined>
  remember(key: LiveKey, signature: string, timestamp: number): Promise<boolean>
  scheme?: SignatureScheme | undefined
  skewSeconds?: number | undefined
  rateLimit: RateLimit
  enter: EnterProject
  now?: (() => number) | undefined
}

/** Who makes a call. */
export interface Caller {
  /** The project's id. 0 for a person's call that belongs to no project. */
  readonly project: number
  /**
   * Who the caller's changes are recorded for in the audit log: `key:mk_…`, `publishable-key:pk_…` or
   * `person:…`.
   */
  readonly actor: string
  /** The wallet of the key or of the person in the project, or ''. */
  readonly wallet: string
  /** The name of the key or person. */
  readonly name: string
  /** The store in which the key verifies cards. Undefined: any store. */
  readonly storeId?: number | undefined
  /** Whether the call has a publishable key: anybody may be the caller. */
  readonly isPublic: boolean
  /** The person whose session makes the call. Undefined for keys. */
  readonly person?: CallingPerson | undefined
  /** Whether the caller holds a scope: what it may see, and give to a new key. */
  holdsScope(scope: string): boolean
  /** Whether the credentials of the call are still valid, for a response that takes long. */
  isAuthorized(): Promise<boolean>
}

/** The role of a person in a project. */
export interface Membership {
  readonly projectId: number
  readonly projectName: string
  readonly role: Role
  readonly wallet: string
}

/** A person who is signed in to the console. */
export interface CallingPerson {
  readonly personId: string
  readonly name: string
  readonly email: string
  readonly isOperator: boolean
  readonly hasSecondFactor: boolean
  /** When the session ends unless it is extended. */
  readonly expiresAt: Date
  readonly memberships: readonly Membership[]
}

/**
 * Creates the authentication of calls: the identity of the caller (401), its scopes (403), and its rate and
 * concurrency (429). Cheap checks come first: the headers and the key, then the body and its signature, then
 * the limits, and last the row of a write's signature. Only signed calls count for the limits, because
 * otherwise anybody who knows the name of a key could exhaust them.
 */
export function createAuthentication(options: AuthenticationOptions) {
  const now = options.now ?? Date.now
  const charge = createCharge(options.rateLimit, now)
  const beginAttempt = createFailedAttemptLimiter(FAILED_ATTEMPT_LIMIT, now)
  const findKey = cacheLookup(options.findKey, { now })
  const verifier = createVerifier<LiveKey>({
    scheme: options.scheme,
    skewSeconds: options.skewSeconds,
    now,
    findKey,
    remember: options.remember,
  })
  return async function authenticate(call: UnauthenticatedCall): Promise<Caller> {
    const { operation, remoteAddress } = call
    const unauthorized = (reason: VerificationFailure) => {
      attempt.fail()
      return CREATE_ERROR[reason]()
    }
    const headers = {
      apiKey: call.header('x-api-key'),
      signature: call.header('x-signature'),
      timestamp: call.header('x-timestamp'),
    }
    const attempt = beginAttempt(remoteAddress, headers.apiKey)
    const identified = await verifier.identify(headers)
    if (!identified.ok) throw unauthorized(identified.reason)
    const { key } = identified
    const { method, path, query } = call
    const body = await call.readBody()
    const signed = { method, path, query, body, ...headers }
    if (!(await verifier.isSignedBy(key, signed))) throw unauthorized('bad_signature')
    attempt.succeed()
    refuseMoved(key)
    if (!hasScope(key, operation)) {
      throw new HttpError(403, `The key lacks the scope ${operation.scope}`)
    }
    // Streams have a limit of their own: they hold no database connection.
    if (operation.result !== 'event-stream') call.onEnd(options.enter(key.project))
    const { apiKey = '', signature = '', timestamp } = headers
    // Ids are unique in a project only: a project brings its own when it moves to another cell.
    charge(call, apiKey, body.length)
    const actor = `key:${apiKey}`
    // As the actor and in the project of the handler, whose statements then need no other binding of their
    // connection.
    const remember = () => options.remember(key, signature, Number(timestamp))
    if (operation.effect === 'write' && !(await runAs(actor, remember))) throw unauthorized('replayed')
    async function isAuthorized(): Promise<boolean> {
      const current = await findKey(headers.apiKey ?? '')
      return (
        current !== undefined &&
        current.cell === undefined &&
        hasScope(current, operation) &&
        verifier.isSignedBy(current, signed)
      )
    }
    const { project, storeId, wallet, name } = key
    return {
      project,
      storeId,
      wallet,
      name,
      isPublic: false,
      isAuthorized,
      actor,
      holdsScope: (scope) => grantsScope(key.scopes, scope),
    }
  }
}

function hasScope({ scopes }: LiveKey, { scope }: OperationShape): boolean {
  return scope === undefined || grantsScope(scopes, scope)
}

function grantsScope(scopes: ReadonlySet<string>, scope: string): boolean {
  return scopes.has(scope) || (scopes.has(ALL_SCOPES) && !ADMIN_SCOPES.has(scope) && !isOperatorScope(scope))
}
