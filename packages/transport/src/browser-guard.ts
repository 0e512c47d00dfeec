import { ConfigurationError, type CredentialsSource } from '@mintmark/core-auth'

function checkSecrecy(credentials: object | undefined): void {
  if (typeof document === 'undefined' || !credentials) return
  for (const name of ['secret', 'token']) {
    if (name in credentials)
      throw new ConfigurationError(
        name,
        'is in a page, where every visitor can read it. Call from a server, or set dangerouslyAllowBrowser',
      )
  }
}

/**
 * Returns the credentials, which fail in a page if they contain a secret or a token: where the client is created, or when their function
 * returns them.
 */
export function protectSecrets<C extends object>(
  credentials: CredentialsSource<C>,
  isAllowed: boolean | undefined,
): CredentialsSource<C> {
  if (isAllowed) return credentials
  checkSecrecy(credentials)
  if (typeof credentials !== 'function') return credentials
  return async () => {
    const loaded = await credentials()
    checkSecrecy(loaded)
    return loaded
  }
}
