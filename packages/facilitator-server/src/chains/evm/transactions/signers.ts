import { type Hex, serializeTransaction, type TransactionSerializableEIP1559 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { hashDigits } from '../signatures/keccak.ts'
import { loadSecp256k1, type NativeSecp256k1 } from '../signatures/secp256k1.ts'

/** Signs settlements with a key of this process or a key service. */
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
export function parseSignerKeys(
  setting: string,
  native: NativeSecp256k1 | undefined = loadSecp256k1(),
): SettlementSigner[] {
  const keys = setting.split(/[\s,]+/).filter((key) => key !== '')
  const signers = keys.map((key, index) => parseSignerKey(key, index + 1, native))
  if (new Set(signers.map((signer) => signer.address)).size < signers.length) {
    throw new Error('FACILITATOR_SIGNER_KEYS contains a key twice')
  }
  return signers
}

function parseSignerKey(key: string, place: number, native: NativeSecp256k1 | undefined): SettlementSigner {
  const digits = /^(?:0x)?([0-9a-fA-F]{64})$/.exec(key)?.[1]
  const createError = () =>
    new Error(`FACILITATOR_SIGNER_KEYS: key ${place} is not a private key of 32 bytes`)
  if (digits === undefined) throw createError()
  try {
    const account = privateKeyToAccount(`0x${digits}`)
    return {
      address: account.address.toLowerCase(),
      sign:
        native === undefined
          ? (transaction) => account.signTransaction(transaction)
          : createNativeSign(native, Buffer.from(digits, 'hex')),
    }
  } catch {
    // Zero, or above the curve's order. The library's message may contain the key.
    throw createError()
  }
}

/** Creates the signing of transactions by libsecp256k1, which takes a tenth of a millisecond instead of one. */
function createNativeSign(native: NativeSecp256k1, key: Buffer): SettlementSigner['sign'] {
  return async (transaction) => {
    const digest = Buffer.from(hashDigits(serializeTransaction(transaction).slice(2)), 'hex')
    const { signature, recid } = native.ecdsaSign(digest, key)
    const digits = Buffer.from(signature).toString('hex')
    return serializeTransaction(transaction, {
      r: `0x${digits.slice(0, 64)}`,
      s: `0x${digits.slice(64)}`,
      yParity: recid,
    })
  }
}
