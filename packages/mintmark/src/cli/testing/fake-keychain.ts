import type { KeychainEntry } from '../environment.ts'

/** Creates a keychain in memory. Every use of it fails while `failure` is set. */
export function createFakeKeychain() {
  const entries = new Map<string, string>()
  const keychain = {
    entries,
    /** The accounts that were opened. */
    opened: [] as string[],
    failure: undefined as string | undefined,
    async openKeychain(account: string): Promise<KeychainEntry> {
      keychain.opened.push(account)
      const use = async <Result>(work: () => Result): Promise<Result> => {
        if (keychain.failure !== undefined) throw new Error(keychain.failure)
        return work()
      }
      return {
        setPassword: (value) => use(() => void entries.set(account, value)),
        getPassword: () => use(() => entries.get(account) ?? null),
        deleteCredential: () => use(() => entries.delete(account)),
      }
    },
  }
  return keychain
}
