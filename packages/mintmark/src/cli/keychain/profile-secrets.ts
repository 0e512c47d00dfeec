import { type CommandEnvironment, write } from '../environment.ts'
import { SetupError } from '../errors.ts'
import { toSafeText } from '../output/safe-text.ts'
import type { StoredProfile } from '../profile.ts'
import { removeFromKeychain, storeInKeychain } from './keychain.ts'

/** Stores the secrets of a profile in the keychain. Returns what the file of profiles stores instead. */
export async function moveSecretsToKeychain(
  name: string,
  { gateway, facilitator, ...others }: StoredProfile,
  environment: CommandEnvironment,
): Promise<StoredProfile> {
  let storedGateway = gateway
  if (gateway !== undefined && !('keychain' in gateway)) {
    const { baseUrl, apiKey } = gateway
    storedGateway = { baseUrl, apiKey, keychain: `gateway/${name}` }
    await storeInKeychain(storedGateway.keychain, gateway, environment)
  }
  let storedFacilitator = facilitator
  if (facilitator !== undefined && 'token' in facilitator && facilitator.token !== undefined) {
    const { baseUrl, token } = facilitator
    storedFacilitator = { baseUrl, keychain: `facilitator/${name}` }
    await storeInKeychain(storedFacilitator.keychain, { baseUrl, secret: token }, environment)
  }
  return { ...others, gateway: storedGateway, facilitator: storedFacilitator }
}

/** Removes the secrets from the keychain that a profile no longer has there. */
export async function removeReplacedSecrets(
  earlier: StoredProfile,
  stored: StoredProfile,
  environment: CommandEnvironment,
): Promise<void> {
  for (const service of ['gateway', 'facilitator'] as const) {
    const before = earlier[service]
    const after = stored[service]
    if (before === undefined || !('keychain' in before)) continue
    if (after !== undefined && 'keychain' in after) continue
    try {
      await removeFromKeychain(before.keychain, environment)
    } catch (error) {
      // A profile must be able to leave a keychain that does not work.
      if (!(error instanceof SetupError)) throw error
      const warning = `Warning: the keychain still has ${before.keychain}. ${toSafeText(error.message)}\n`
      await write(environment.errors, warning)
    }
  }
}
