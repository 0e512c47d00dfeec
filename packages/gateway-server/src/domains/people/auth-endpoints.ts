/** An endpoint of the authentication library: its method, and its path below `AUTH_PATH`. */
export type AuthEndpoint = `GET /${string}` | `POST /${string}`

/**
 * The endpoints of the authentication library that people can call. All others are not served: those that
 * create accounts or change email addresses, because invitations do, those that verify email addresses, and those
 * that return tokens of an identity provider.
 */
export const AUTH_ENDPOINTS: ReadonlySet<AuthEndpoint> = new Set<AuthEndpoint>([
  'POST /sign-in/email',
  'POST /sign-out',
  'POST /change-password',
  'POST /update-user',

  'GET /get-session',
  'GET /list-sessions',
  'POST /revoke-session',
  'POST /revoke-sessions',
  'POST /revoke-other-sessions',

  'POST /two-factor/enable',
  'POST /two-factor/disable',
  'POST /two-factor/get-totp-uri',
  'POST /two-factor/verify-totp',
  'POST /two-factor/verify-backup-code',
  'POST /two-factor/generate-backup-codes',

  'GET /passkey/generate-register-options',
  'POST /passkey/verify-registration',
  'GET /passkey/generate-authenticate-options',
  'POST /passkey/verify-authentication',
  'GET /passkey/list-user-passkeys',
  'POST /passkey/update-passkey',
  'POST /passkey/delete-passkey',

  'GET /list-accounts',
  'GET /error',
])

/** The endpoints that exist only with an identity provider. */
export const PROVIDER_ENDPOINTS: ReadonlySet<AuthEndpoint> = new Set<AuthEndpoint>([
  'POST /sign-in/social',
  'POST /link-social',
  'POST /unlink-account',
  'GET /callback/oidc',
])

/** The endpoints that exist only with a mail server. */
export const MAIL_ENDPOINTS: ReadonlySet<AuthEndpoint> = new Set<AuthEndpoint>([
  'POST /request-password-reset',
  'POST /reset-password',
])
