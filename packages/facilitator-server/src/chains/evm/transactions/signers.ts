import type { Hex, TransactionSerializableEIP1559 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** Signs settlements. A viem account is one; a key service can be another. */
export interface SettlementSigner {
  /** Lower-case. */
  readonly address: string
  sign(transaction: TransactionSerializableEIP1559): Promise<Hex>
}

/**
 * Reads `FACILITATOR_SIGNER_KEYS`: private keys, 0x and 64 hex digits, apart by commas or blanks.
 *
 * @throws Error that says which is wrong, and repeats none.
 */
export function parseSignerKeys(setting: string): SettlementSigner[] {
  const keys = setting.split(/[\s,]+/).filter((key) => key !== '')
  const signers = keys.map((key, index) => signerOf(key, index + 1))
  if (new Set(signers.map((signer) => signer.address)).size < signers.length) {
    throw new Error('FACILITATOR_SIGNER_KEYS: a key stands there twice.')
  }
  return signers
}

function signerOf(key: string, place: number): SettlementSigner {
  const digits = /^(?:0x)?([0-9a-fA-F]{64})$/.exec(key)?.[1]
  const wrong = () => new Error(`FACILITATOR_SIGNER_KEYS: key ${place} is not a private key of 32 bytes.`)
  if (digits === undefined) throw wrong()
  try {
    const account = privateKeyToAccount(`0x${digits}`)
    return {
      address: account.address.toLowerCase(),
      sign: (transaction) => account.signTransaction(transaction),
    }
  } catch {
    // Zero, or beyond the curve's order. The library's own message may repeat the key.
    throw wrong()
  }
}
