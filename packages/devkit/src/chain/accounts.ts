import type { Hex } from 'viem'
import { mnemonicToAccount, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { bytesToHex } from 'viem/utils'

/**
 * The mnemonic that anvil and other development nodes start with. Everyone knows it and so everyone holds these keys:
 * whatever reaches these accounts on a public chain is gone.
 */
const devMnemonic = 'test test test test test test test test test test test junk'

/** One of the dev chain's rich accounts: a viem account that signs, with its private key at hand. */
export interface DevAccount extends PrivateKeyAccount {
  readonly privateKey: Hex
}

/** The ten accounts that hold 10,000 of the native token and 1,000,000 USDC when a dev chain is new, in anvil's order. */
export const devAccounts: readonly DevAccount[] = deriveAccounts(10)

/**
 * One of `devAccounts`, by its place.
 *
 * @throws RangeError when `index` is not a whole number from 0 to 9.
 */
export function devAccount(index: number): DevAccount {
  const account = devAccounts[index]
  if (!account)
    throw new RangeError(`The dev chain has accounts 0 to ${devAccounts.length - 1}, not ${index}`)
  return account
}

function deriveAccounts(count: number): DevAccount[] {
  // Stretching the mnemonic is the slow part, so it is done once and the children are derived from the shared parent.
  const parent = mnemonicToAccount(devMnemonic, { path: "m/44'/60'/0'/0" }).getHdKey()
  return Array.from({ length: count }, (_, index) => {
    const { privateKey } = parent.deriveChild(index)
    if (!privateKey) throw new Error(`No private key could be derived for account ${index}`)
    const key = bytesToHex(privateKey)
    return { ...privateKeyToAccount(key), privateKey: key }
  })
}
