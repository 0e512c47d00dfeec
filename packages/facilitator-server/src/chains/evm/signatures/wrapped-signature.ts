import { decodeAbiParameters } from 'viem'
import { asHex, type WalletDeployment } from '../reads/transfer.ts'

/** The signature of a payment without its ERC-6492 wrapper. */
export interface UnwrappedSignature {
  /** What the payer's key or contract has signed, `0x` and lower-case hex digits. */
  signature: string
  /** Undefined if the signature had no wrapper. */
  deployment: WalletDeployment | undefined
}

/** The last 32 bytes of every wrapped signature, hex digits. */
const MAGIC_DIGITS = '6492'.repeat(16)

/**
 * Reads the wrapper of a signature (ERC-6492), if it has one. Returns undefined if the wrapper is malformed.
 */
export function unwrapSignature(signature: string): UnwrappedSignature | undefined {
  if (!signature.endsWith(MAGIC_DIGITS)) return { signature, deployment: undefined }
  const wrapped = asHex(signature.slice(0, -MAGIC_DIGITS.length))
  try {
    const [factory, data, inner] = decodeAbiParameters(
      [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }],
      wrapped,
    )
    return { signature: inner, deployment: { factory: factory.toLowerCase(), data } }
  } catch {
    // The caller may send any bytes.
    return undefined
  }
}
