import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { decodeBase58, encodeBase58 } from './base58.ts'

/** What precedes the 32 bytes of a key in its DER encoding. */
const PRIVATE_KEY_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')
const PUBLIC_KEY_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')

/** A key that pays the fees of transactions. */
export interface FeePayer {
  /** Base58. */
  readonly address: string
  /** Signs the bytes of a message. The same message has the same signature. */
  sign(message: Uint8Array): Buffer
}

/** Creates a fee payer from the seed of its key. */
export function createFeePayer(seed: Uint8Array): FeePayer {
  const key = createPrivateKey({
    key: Buffer.concat([PRIVATE_KEY_PREFIX, seed]),
    format: 'der',
    type: 'pkcs8',
  })
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' })
  return {
    address: encodeBase58(publicKey.subarray(PUBLIC_KEY_PREFIX.length)),
    sign: (message) => sign(null, message, key),
  }
}

/**
 * Parses `SOLANA_SIGNER_KEYS`: keys separated by commas, in base58, as wallets export them.
 *
 * @throws Error that does not contain a key.
 */
export function parseFeePayers(setting: string): FeePayer[] {
  const entries = setting.split(/[\s,]+/).filter((entry) => entry !== '')
  return entries.map((entry, index) => {
    const bytes = decodeBase58(entry, 64)
    const feePayer = bytes && createFeePayer(bytes.subarray(0, 32))
    if (bytes === undefined || feePayer?.address !== encodeBase58(bytes.subarray(32))) {
      throw new Error(`SOLANA_SIGNER_KEYS: key ${index + 1} is not a secret key of 64 bytes in base58`)
    }
    return feePayer
  })
}

/** Whether a signature of a message is that of an account's key. */
export function isSignedBy(account: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const der = Buffer.concat([PUBLIC_KEY_PREFIX, account])
  let key: KeyObject
  try {
    key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  } catch {
    // The bytes are no point of the curve.
    return false
  }
  return verify(null, message, key, signature)
}
