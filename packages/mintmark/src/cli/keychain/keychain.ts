import * as v from 'valibot'
import type { CommandEnvironment, KeychainEntry } from '../environment.ts'
import { SetupError } from '../errors.ts'
import { toSafeText } from '../output/safe-text.ts'

/** What the keychain stores of a service: the secret, with the server and the key that it belongs to. */
export interface KeychainValue {
  readonly baseUrl: string
  readonly apiKey?: string | undefined
  readonly secret: string
}

/** The names of entries, such as `gateway/live` of the profile `live`. */
export const ACCOUNT = /^(?:gateway|facilitator)\/[\w.@-]{1,64}$/

const Value = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ baseUrl: v.string(), apiKey: v.optional(v.string()), secret: v.string() }),
)

const ALTERNATIVES =
  'log in again without --keychain, or set the credentials in the environment (`mintmark login --help`)'

/** Uses the entry of an account. @throws SetupError if there is no keychain, or if it fails. */
async function withEntry<Result>(
  account: string,
  { openKeychain, signal }: CommandEnvironment,
  work: (entry: KeychainEntry) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(await openKeychain(account))
  } catch (error) {
    signal.throwIfAborted()
    const message = toSafeText(error instanceof Error ? error.message : String(error))
    throw new SetupError(`The keychain failed: ${message}. Unlock or start it. Or ${ALTERNATIVES}`, {
      cause: error,
    })
  }
}

/** Stores a secret in the keychain of the operating system, and replaces an earlier one of the account. */
export async function storeInKeychain(
  account: string,
  value: KeychainValue,
  environment: CommandEnvironment,
): Promise<void> {
  await withEntry(account, environment, (entry) =>
    entry.setPassword(JSON.stringify(value), environment.signal),
  )
}

/**
 * Reads a secret from the keychain of the operating system.
 *
 * @throws SetupError if the keychain has no secret of this account for this server and key.
 */
export async function readFromKeychain(
  account: string,
  { baseUrl, apiKey }: Omit<KeychainValue, 'secret'>,
  environment: CommandEnvironment,
): Promise<string> {
  const text = await withEntry(account, environment, (entry) => entry.getPassword(environment.signal))
  // An entry that another program wrote is no value.
  const { success, output: value } = v.safeParse(Value, text)
  // Whoever changes the file of profiles cannot redirect the secret to another server.
  if (!success || value.baseUrl !== baseUrl || value.apiKey !== apiKey) {
    const [service, profile] = account.split('/')
    throw new SetupError(
      `The keychain has no secret of the ${service} ${baseUrl} for the profile ${profile}. Run \`mintmark login --keychain --profile ${profile}\``,
    )
  }
  return value.secret
}

/** Removes a secret from the keychain of the operating system. It may be missing. */
export async function removeFromKeychain(account: string, environment: CommandEnvironment): Promise<void> {
  await withEntry(account, environment, (entry) => entry.deleteCredential(environment.signal))
}
