import type { Hex, TransactionSerializableEIP1559 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** Signs settlements with a viem account or a key service. */
export interface SettlementSigner {
  /** Lower-case. */
  readonly address: string
  sign(transaction: TransactionSerializableEIP1559): Promise<Hex>
}

/**
 * Parses `FACILITATOR_SIGNER_KEYS`: private keys of 64 hex digits, separated by commas or spaces.
 *
 * @throws Error that names the position of the invalid key and contains no key.
 */
export function parseSignerKeys(setting: string): SettlementSigner[] {
  const keys = setting.split(/[\s,]+/).filter((key) => key !== '')
  const signers = keys.map((key, index) => parseSignerKey(key, index + 1))
  if (new Set(signers.map((signer) => signer.address)).size < signers.length) {
    throw new Error('FACILITATOR_SIGNER_KEYS contains a key twice')
  }
  return signers
}

function parseSignerKey(key: string, place: number): SettlementSigner {
  const digits = /^(?:0x)?([0-9a-fA-F]{64})$/.exec(key)?.[1]
  const createError = () =>
    new Error(`FACILITATOR_SIGNER_KEYS: key ${place} is not a private key of 32 bytes`)
  if (digits === undefined) throw createError()
  try {
    const account = privateKeyToAccount(`0x${digits}`)
    return {
      address: account.address.toLowerCase(),
      sign: (transaction) => account.signTransaction(transaction),
    }
  } catch {
    // Zero, or above the curve's order. The library's message may contain the key.
    throw createError()
  }
}
