import { createAuthClient } from 'better-auth/client'
import { twoFactorClient } from 'better-auth/client/plugins'
import { AuthError } from '../errors/auth-error.ts'

/**
 * The client of the sign-in, the second factor and the account. The session is a cookie that scripts cannot
 * read.
 */
export const authClient = createAuthClient({
  baseURL: location.origin,
  basePath: '/console/auth',
  plugins: [twoFactorClient()],
  // The session is read by `session.get`, when a page needs it.
  sessionOptions: { refetchOnWindowFocus: false },
})

/** What calls of the authentication library return. */
interface AuthResult<Data> {
  readonly data: Data | null
  readonly error: {
    readonly code?: string | undefined
    readonly message?: string | undefined
    readonly status: number
  } | null
}

/**
 * Returns the data of a call of the authentication library.
 *
 * @throws AuthError if the call failed, also without a connection.
 */
export async function readAuth<Data>(call: Promise<AuthResult<Data>>): Promise<Data> {
  let result: AuthResult<Data>
  try {
    result = await call
  } catch (error) {
    throw new AuthError(String(error), { code: '', status: 0 })
  }
  const { data, error } = result
  if (error !== null) {
    throw new AuthError(error.message ?? '', { code: error.code ?? '', status: error.status })
  }
  if (data === null) throw new AuthError('', { code: '', status: 500 })
  return data
}
