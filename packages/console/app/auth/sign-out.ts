import { AuthError } from '../errors/auth-error.ts'

/**
 * Ends the session. It loads no script: a tab that was opened before the server was updated could not load it.
 *
 * @throws AuthError if the session may go on, also without a connection.
 */
export async function signOut(): Promise<void> {
  let response: Response
  try {
    response = await fetch('/console/auth/sign-out', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
  } catch (error) {
    throw new AuthError(String(error), { code: '', status: 0 })
  }
  if (!response.ok) throw new AuthError('', { code: '', status: response.status })
  // What the worker of the scanner keeps, also if it does not control this page.
  await globalThis.caches?.delete('mintmark-person')
}
