import type { KeychainEntry } from '../environment.ts'

/** The name of this program in the keychain. */
const SERVICE = 'mintmark'

/**
 * Opens the entry of an account in the keychain of the operating system: the login keychain of macOS, the
 * Credential Manager of Windows, the Secret Service of Linux. Its native part is loaded only then.
 *
 * @throws Error without a keychain, such as on a server without a desktop session.
 */
export async function openKeychain(account: string): Promise<KeychainEntry> {
  const { AsyncEntry } = await import('@napi-rs/keyring')
  // Without the option, a Linux without the Secret Service would use a store of the kernel, which forgets
  // secrets at the next start.
  return new AsyncEntry(SERVICE, account, { linux: { store: 'secret-service' } })
}
