import { passkey } from '@better-auth/passkey'
import type { Logger } from '@mintmark/server-kit'
import { betterAuth } from 'better-auth'
import { genericOAuth, twoFactor } from 'better-auth/plugins'
import type { Db } from '../../tables.ts'

/** The path of the endpoints for signing in and out. */
export const AUTH_PATH = '/console/auth'
/** The header with the caller's address. The server sets it, and removes it from requests. */
export const CLIENT_ADDRESS_HEADER = 'x-mintmark-client-address'

/** The shortest password. NIST SP 800-63B requires 8, and 15 for a password without a second factor. */
export const MIN_PASSWORD_CHARACTERS = 12
export const MAX_PASSWORD_CHARACTERS = 256

const HOUR_SECONDS = 3600
/** A session ends when it was not used for so long. */
const SESSION_SECONDS = 12 * HOUR_SECONDS

/** An identity provider that people can sign in with. Its people need an invitation first: nobody joins by signing in. */
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
  readonly log: Logger
}

/** A session that is not expired. */
export interface SignedIn {
  readonly personId: string
  readonly name: string
  readonly email: string
  readonly sessionId: string
}

/** Signs people in and out. */
export interface PeopleAuth {
  /** Responds to a request below `AUTH_PATH`. */
  handle(request: Request): Promise<Response>
  /** Returns who is signed in, by the cookies of a request. */
  findSession(headers: Headers): Promise<SignedIn | undefined>
  /** Signs a person in whose password was just set. Returns the cookies of the new session. @throws if the password is wrong. */
  signIn(email: string, password: string, headers: Headers): Promise<readonly string[]>
  hashPassword(password: string): Promise<string>
}

/**
 * Creates the sign-in of people by the library better-auth: password with an optional second factor, passkeys, and an identity provider. Only an
 * invitation creates a person, so sign-up is disabled, and so is what changes an email address.
 */
export function createPeopleAuth(options: PeopleAuthOptions): PeopleAuth {
  const auth = createAuth(options)
  return {
    handle: (request) => auth.handler(request),
    async findSession(headers) {
      const found = await auth.api.getSession({ headers, query: { disableRefresh: true } })
      if (found === null) return undefined
      const { user, session } = found
      return { personId: user.id, name: user.name, email: user.email, sessionId: session.id }
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

/** What invitations, `people.update` and the operator do instead. */
const DISABLED_PATHS = [
  '/sign-up/email',
  '/change-email',
  '/delete-user',
  '/request-password-reset',
  '/reset-password',
  '/set-password',
  '/send-verification-email',
  '/verify-email',
  '/link-social',
  '/unlink-account',
  '/get-access-token',
  '/refresh-token',
  '/account-info',
]

const SIGN_IN_LIMIT = { window: 60, max: 10 }

function createAuth({ db, secret, publicUrl, oidc, log }: PeopleAuthOptions) {
  const { origin, hostname, protocol } = new URL(publicUrl)
  return betterAuth({
    appName: 'Mintmark',
    baseURL: origin,
    basePath: AUTH_PATH,
    secret,
    trustedOrigins: [origin],
    disabledPaths: DISABLED_PATHS,
    database: { db, type: 'postgres', schemaName: 'gateway', transaction: true },
    ...MODELS,
    session: { ...MODELS.session, expiresIn: SESSION_SECONDS, updateAge: HOUR_SECONDS },
    account: { ...MODELS.account, accountLinking: { enabled: true, disableImplicitLinking: false } },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: MIN_PASSWORD_CHARACTERS,
      maxPasswordLength: MAX_PASSWORD_CHARACTERS,
      revokeSessionsOnPasswordReset: true,
    },
    rateLimit: {
      ...MODELS.rateLimit,
      enabled: true,
      storage: 'database',
      window: 60,
      max: 300,
      customRules: {
        '/sign-in/*': SIGN_IN_LIMIT,
        '/two-factor/*': SIGN_IN_LIMIT,
        '/passkey/verify-authentication': SIGN_IN_LIMIT,
      },
    },
    advanced: {
      cookiePrefix: 'mintmark',
      useSecureCookies: protocol === 'https:',
      defaultCookieAttributes: { httpOnly: true, path: '/' },
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
      // A page of another site cannot send this cookie, not even by a link.
      cookies: { session_token: { attributes: { sameSite: 'strict' } } },
    },
    plugins: [
      twoFactor({ issuer: 'Mintmark', schema: SECOND_FACTOR_SCHEMA }),
      passkey({ rpID: hostname, rpName: 'Mintmark', origin, schema: PASSKEY_SCHEMA }),
      ...(oidc === undefined ? [] : [genericOAuth({ config: [toProvider(oidc)] })]),
    ],
    logger: { level: 'warn', log: (level, message) => log[level]({ part: 'sign-in' }, message) },
    telemetry: { enabled: false },
  })
}

function toProvider({ discoveryUrl, clientId, clientSecret }: OidcSettings) {
  const scopes = ['openid', 'email', 'profile']
  return {
    ...{ providerId: 'oidc', discoveryUrl, clientId, clientSecret, scopes, pkce: true },
    // Only invited people exist. Whoever the provider knows beyond them is refused.
    disableSignUp: true,
  }
}
