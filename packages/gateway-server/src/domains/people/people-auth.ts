import { passkey } from '@better-auth/passkey'
import { type Logger, NAME_FORMAT } from '@mintmark/server-kit'
import { betterAuth } from 'better-auth'
import { APIError, isAPIError } from 'better-auth/api'
import { genericOAuth, twoFactor } from 'better-auth/plugins'
import type { Db } from '../../database/tables.ts'
import { NAME } from '../../http/field-limits.ts'
import { AUTH_ENDPOINTS, type AuthEndpoint, MAIL_ENDPOINTS, PROVIDER_ENDPOINTS } from './auth-endpoints.ts'
import type { Mailer } from './mailer.ts'
import { createNewPasswordMail } from './mails.ts'

/** The path of the endpoints for signing in and out. */
export const AUTH_PATH = '/console/auth'
/** The header with the caller's address. The server sets it, and removes it from requests. */
export const CLIENT_ADDRESS_HEADER = 'x-mintmark-client-address'

/** The shortest password. NIST SP 800-63B requires 8, and 15 for a password without a second factor. */
export const MIN_PASSWORD_CHARACTERS = 12
export const MAX_PASSWORD_CHARACTERS = 256
const MAX_NAME_CHARACTERS = NAME.characters

const HOUR_SECONDS = 3600
/** A session ends when it was not used for so long. */
const SESSION_SECONDS = 12 * HOUR_SECONDS
/** How long a link for a new password works, once. */
const RESET_SECONDS = HOUR_SECONDS
/** Begins what the library stores a link for a new password under. */
const RESET_PREFIX = 'reset-password:'

/**
 * An identity provider that people can sign in with. Its people need an invitation first: nobody joins by
 * signing in.
 */
export interface OidcSettings {
  /** The provider's name on the sign-in page. */
  readonly name: string
  /** The URL of the discovery document. */
  readonly discoveryUrl: string
  readonly clientId: string
  readonly clientSecret: string
}

export interface PeopleAuthOptions {
  /** Connections of the schema's owner. */
  readonly db: Db
  /** Signs cookies and encrypts second factors. See `ensureAuthSecret`. */
  readonly secret: string
  /** This server's public URL. */
  readonly publicUrl: string
  readonly oidc?: OidcSettings | undefined
  /** Sends links by which people set a new password. Default: nobody gets one. */
  readonly mailer?: Mailer | undefined
  readonly log: Logger
}

/** A session that is not expired. */
export interface SignedIn {
  readonly personId: string
  readonly name: string
  readonly email: string
  readonly sessionId: string
  /** When the session ends unless it is extended. */
  readonly expiresAt: Date
}

/** Signs people in and out. */
export interface PeopleAuth {
  /** Responds to a request below `AUTH_PATH`. */
  handle(request: Request): Promise<Response>
  /** Returns who is signed in, by the cookies of a request. */
  findSession(headers: Headers): Promise<SignedIn | undefined>
  /**
   * Extends a session that is in use, at most once an hour. Returns the cookies for the response: browsers
   * delete theirs at the end that they know.
   */
  extendSession(headers: Headers, session: Pick<SignedIn, 'expiresAt'>): Promise<readonly string[]>
  /**
   * Signs a person in whose password was just set. Returns the cookies of the new session.
   *
   * @throws if the password is wrong.
   */
  signIn(email: string, password: string, headers: Headers): Promise<readonly string[]>
  hashPassword(password: string): Promise<string>
}

/**
 * Creates the sign-in of people by the library better-auth: password with an optional second factor,
 * passkeys, and an identity provider. Only an invitation creates a person, so sign-up is disabled, and so is
 * what changes an email address.
 */
export function createPeopleAuth({ oidc, ...options }: PeopleAuthOptions): PeopleAuth {
  const auth = createAuth(options, [])
  const handleByProvider = oidc && createProviderHandler(options, oidc)
  return {
    async handle(request) {
      const path = new URL(request.url).pathname.slice(AUTH_PATH.length)
      const endpoint = `${request.method} ${path}` as AuthEndpoint
      if (AUTH_ENDPOINTS.has(endpoint)) return await auth.handler(request)
      if (options.mailer && MAIL_ENDPOINTS.has(endpoint)) return await auth.handler(request)
      if (handleByProvider && PROVIDER_ENDPOINTS.has(endpoint)) return await handleByProvider(request)
      return Response.json({ message: 'No such endpoint' }, { status: 404 })
    },
    async findSession(headers) {
      const found = await auth.api.getSession({ headers, query: { disableRefresh: true } })
      if (found === null) return undefined
      const { user, session } = found
      const { id: sessionId, expiresAt } = session
      return { personId: user.id, name: user.name, email: user.email, sessionId, expiresAt }
    },
    async extendSession(headers, { expiresAt }) {
      const remainingMs = expiresAt.getTime() - Date.now()
      if (remainingMs > (SESSION_SECONDS - HOUR_SECONDS) * 1000) return []
      const found = await auth.api.getSession({ headers, returnHeaders: true })
      // A session that has just ended has nothing to extend.
      return found.response === null ? [] : found.headers.getSetCookie()
    },
    async signIn(email, password, headers) {
      const { headers: received } = await auth.api.signInEmail({
        body: { email, password },
        headers,
        returnHeaders: true,
      })
      return received.getSetCookie()
    },
    async hashPassword(password) {
      const { password: passwords } = await auth.$context
      return await passwords.hash(password)
    },
  }
}

/** How long the identity provider may take to describe itself. */
const DISCOVERY_TIMEOUT_MS = 10_000

/**
 * Creates the handler of requests about the identity provider. The library reads the provider's description
 * once, before its first response. It does so apart from all other requests, so that a provider that does not
 * respond delays only those who use it, and again after a failure.
 */
function createProviderHandler(options: Omit<PeopleAuthOptions, 'oidc'>, oidc: OidcSettings) {
  let ready: Promise<Auth | undefined> | undefined

  async function discover(): Promise<Auth | undefined> {
    const auth = createAuth(options, [toProvider(oidc)])
    const timeout = AbortSignal.timeout(DISCOVERY_TIMEOUT_MS)
    const expired = new Promise<undefined>((resolve) => {
      timeout.addEventListener('abort', () => resolve(undefined), { once: true })
    })
    const context = await Promise.race([auth.$context, expired])
    return context?.socialProviders.some(({ id }) => id === PROVIDER_ID) === true ? auth : undefined
  }

  return async (request: Request): Promise<Response> => {
    ready ??= discover()
    const auth = await ready
    if (auth !== undefined) return await auth.handler(request)
    ready = undefined
    options.log.warn({ part: 'sign-in' }, 'the identity provider does not respond')
    const message = `${oidc.name} does not respond. Try again later, or sign in with your password`
    return Response.json({ message }, { status: 503 })
  }
}

type Auth = ReturnType<typeof createAuth>

const TIMES = { createdAt: 'created_at', updatedAt: 'updated_at' } as const
const PERSON = { userId: 'person_id' } as const

/** Where the library stores its records. */
const MODELS = {
  user: {
    modelName: 'people',
    fields: { ...TIMES, emailVerified: 'email_verified' },
  },
  session: {
    modelName: 'people_sessions',
    fields: {
      ...TIMES,
      ...PERSON,
      expiresAt: 'expires_at',
      ipAddress: 'ip_address',
      userAgent: 'user_agent',
    },
  },
  account: {
    modelName: 'people_accounts',
    fields: {
      ...TIMES,
      ...PERSON,
      accountId: 'account_id',
      providerId: 'provider_id',
      accessToken: 'access_token',
      refreshToken: 'refresh_token',
      idToken: 'id_token',
      accessTokenExpiresAt: 'access_token_expires_at',
      refreshTokenExpiresAt: 'refresh_token_expires_at',
    },
  },
  verification: { modelName: 'people_challenges', fields: { ...TIMES, expiresAt: 'expires_at' } },
  rateLimit: { modelName: 'people_rate_limits', fields: { lastRequest: 'last_request' } },
} as const

const SECOND_FACTOR_SCHEMA = {
  user: { fields: { twoFactorEnabled: 'has_second_factor' } },
  twoFactor: {
    modelName: 'people_second_factors',
    fields: {
      ...PERSON,
      backupCodes: 'backup_codes',
      failedVerificationCount: 'failed_verifications',
      lockedUntil: 'locked_until',
    },
  },
}

const PASSKEY_SCHEMA = {
  passkey: {
    modelName: 'people_passkeys',
    fields: {
      ...PERSON,
      publicKey: 'public_key',
      credentialID: 'credential_id',
      deviceType: 'device_type',
      backedUp: 'backed_up',
      createdAt: 'created_at',
    },
  },
}

const SIGN_IN_LIMIT = { window: 60, max: 10 }

/** Requests of one address. The library counts them in the database, for all processes. */
const RATE_LIMITS = {
  enabled: true,
  storage: 'database',
  window: 60,
  max: 300,
  customRules: {
    '/sign-in/*': SIGN_IN_LIMIT,
    '/two-factor/*': SIGN_IN_LIMIT,
    '/passkey/verify-authentication': SIGN_IN_LIMIT,
    '/change-password': SIGN_IN_LIMIT,
    '/request-password-reset': SIGN_IN_LIMIT,
    '/reset-password': SIGN_IN_LIMIT,
  },
} as const

function createAuth(
  { db, secret, publicUrl, mailer, log }: Omit<PeopleAuthOptions, 'oidc'>,
  providers: readonly ReturnType<typeof toProvider>[],
) {
  const { origin, hostname, protocol } = new URL(publicUrl)
  return betterAuth({
    appName: 'Mintmark',
    baseURL: origin,
    basePath: AUTH_PATH,
    secret,
    trustedOrigins: [origin],
    database: { db, type: 'postgres', schemaName: 'gateway', transaction: true },
    ...MODELS,
    session: { ...MODELS.session, expiresIn: SESSION_SECONDS, updateAge: HOUR_SECONDS },
    // Whoever invites a person could accept the invitation. An equal email address therefore links nothing: a
    // person who is signed in does.
    account: { ...MODELS.account, accountLinking: { enabled: true, disableImplicitLinking: true } },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: MIN_PASSWORD_CHARACTERS,
      maxPasswordLength: MAX_PASSWORD_CHARACTERS,
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: RESET_SECONDS,
      onPasswordReset: ({ user }) => removeAccess(db, user.id),
      ...(mailer && {
        async sendResetPassword({ user: { id, email }, token }) {
          const link = { url: `${publicUrl}/console/new-password/${token}`, expiresAt: getResetExpiry() }
          await mailer.send(createNewPasswordMail({ to: email, ...link }), `person:${id}`)
        },
      }),
    },
    // The database stores no token of a link.
    verification: { ...MODELS.verification, storeIdentifier: STORED_IDENTIFIERS },
    rateLimit: { ...MODELS.rateLimit, ...RATE_LIMITS },
    advanced: {
      // The library would compare the whole schema at the start, and refuse every sign-in until a restart if
      // a migration came later.
      database: { validateSchema: false },
      cookiePrefix: 'mintmark',
      useSecureCookies: protocol === 'https:',
      defaultCookieAttributes: { httpOnly: true, path: '/' },
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
      // The library skips this check where NODE_ENV is test, unless it is set.
      disableOriginCheck: false,
      // A page of another site cannot send this cookie, not even by a link.
      cookies: { session_token: { attributes: { sameSite: 'strict' } } },
    },
    plugins: [
      twoFactor({ issuer: 'Mintmark', schema: SECOND_FACTOR_SCHEMA }),
      passkey({ rpID: hostname, rpName: 'Mintmark', origin, schema: PASSKEY_SCHEMA }),
      genericOAuth({ config: [...providers] }),
    ],
    databaseHooks: {
      user: { update: { before: checkPerson } },
      account: { create: { before: removeTokens }, update: { before: removeTokens } },
    },
    logger: { level: 'warn', log: (level, message) => log[level]({ part: 'sign-in' }, message) },
    // The default prints what callers do wrong to the process's output.
    onAPIError: { onError: (error) => logFailure(error, log) },
    telemetry: { enabled: false },
  })
}

const STORED_IDENTIFIERS = { default: 'plain', overrides: { [RESET_PREFIX]: 'hashed' } } as const

const getResetExpiry = () => new Date(Date.now() + RESET_SECONDS * 1000)

/**
 * Ends the other links for a new password, and the passkeys of a person who has set one by a link: somebody
 * else may have created the account with the address, and would keep access by a passkey. A second factor stays,
 * so that a mail alone does not replace it.
 */
async function removeAccess(db: Db, personId: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // Before the passkeys, so that no session registers another one.
    await trx.deleteFrom('gateway.people_sessions').where('person_id', '=', personId).execute()
    await trx.deleteFrom('gateway.people_challenges').where('value', '=', personId).execute()
    await trx.deleteFrom('gateway.people_passkeys').where('person_id', '=', personId).execute()
  })
}

function logFailure(error: unknown, log: Logger): void {
  if (isAPIError(error) && error.statusCode < 500) return
  log.error({ part: 'sign-in', err: error }, 'a request of the sign-in failed')
}

/** Whether a text can be the name of a person. */
export function isPersonName(name: string): boolean {
  return name.length <= MAX_NAME_CHARACTERS && NAME_FORMAT.findProblem(name) === undefined
}

/** Refuses a name that lists of people could not contain, and a picture, which the console does not show. */
async function checkPerson({ name, image }: { name?: unknown; image?: unknown }): Promise<void> {
  const isName = typeof name === 'string' && isPersonName(name)
  if (name !== undefined && !isName)
    throw new APIError('BAD_REQUEST', {
      message: `Expected a name of 1 to ${MAX_NAME_CHARACTERS} characters: ${NAME_FORMAT.description}`,
    })
  if (typeof image === 'string') throw new APIError('BAD_REQUEST', { message: 'A person has no picture' })
}

/** Stores no token of the identity provider: nothing uses them after the sign-in. */
async function removeTokens<Account extends object>(account: Account) {
  return { data: { ...account, accessToken: null, refreshToken: null, idToken: null } }
}

const PROVIDER_ID = 'oidc'

function toProvider({ name, discoveryUrl, clientId, clientSecret }: OidcSettings) {
  const scopes = ['openid', 'email', 'profile']
  return {
    providerId: PROVIDER_ID,
    name,
    discoveryUrl,
    clientId,
    clientSecret,
    scopes,
    pkce: true,
    requireIdTokenVerification: true,
    // Only invited people exist. Whoever the provider knows beyond them is refused.
    disableSignUp: true,
  }
}
