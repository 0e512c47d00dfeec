import type { Hex } from 'viem'
import { mnemonicToAccount, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { bytesToHex } from 'viem/utils'

/**
 * The default mnemonic of anvil and other development nodes. Its keys are public: funds sent to these
 * accounts on a public chain are stolen at once.
 */
const devMnemonic = 'test test test test test test test test test test test junk'

/** A funded account of the dev chain: a viem account with its private key. */
export interface DevAccount extends PrivateKeyAccount {
  readonly privateKey: Hex
}

/** The ten accounts that start with 10,000 of the native token and 1,000,000 USDC, in anvil's order. */
export const devAccounts: readonly DevAccount[] = deriveAccounts(10)

/**
 * Returns one of `devAccounts` by its index.
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
  // Deriving the seed is slow, so it happens once for all accounts.
  const parent = mnemonicToAccount(devMnemonic, { path: "m/44'/60'/0'/0" }).getHdKey()
  return Array.from({ length: count }, (_, index) => {
    const { privateKey } = parent.deriveChild(index)
    if (!privateKey) throw new Error(`No private key could be derived for account ${index}`)
    const key = bytesToHex(privateKey)
    return { ...privateKeyToAccount(key), privateKey: key }
  })
}
