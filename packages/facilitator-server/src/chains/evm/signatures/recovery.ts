import { recoverAddress } from 'viem'
import { keccak256 } from './keccak.ts'
import { loadSecp256k1, type NativeSecp256k1 } from './secp256k1.ts'

/**
 * Recovers the lower-case address whose key signed the digest. Undefined if the signature is not an ECDSA
 * signature of 65 bytes with a low s and a v of 0, 1, 27 or 28.
 */
export interface Recovery {
  kind: 'native' | 'pure'
  recover(digest: Uint8Array, signature: string): string | undefined | Promise<string | undefined>
}

interface SplitSignature {
  /** r and s, 64 bytes. */
  compact: Buffer
  /** The parity of the signing point. */
  yParity: 0 | 1
}

const HALF_ORDER = '7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0'

/**
 * A signature (r, s) has a counterpart (r, n - s) that recovers to the same address. Tokens refuse the one
 * with the higher s, and so do we, before a settlement fails.
 */
function splitSignature(signature: string): SplitSignature | undefined {
  if (signature.length !== 132) return undefined
  const v = Number.parseInt(signature.slice(130), 16)
  const yParity = v === 0 || v === 27 ? 0 : v === 1 || v === 28 ? 1 : undefined
  // Both are lower-case and have the same length, so they compare like numbers.
  if (yParity === undefined || signature.slice(66, 130) > HALF_ORDER) return undefined
  return { compact: Buffer.from(signature.slice(2, 130), 'hex'), yParity }
}

/**
 * Creates the recovery with libsecp256k1 if its prebuilt binary loads, otherwise in JavaScript.
 */
export function createRecovery(native: NativeSecp256k1 | undefined = loadSecp256k1()): Recovery {
  if (native === undefined) return { kind: 'pure', recover: recoverPure }
  return {
    kind: 'native',
    recover(digest, signature) {
      const split = splitSignature(signature)
      if (split === undefined) return undefined
      let point: Uint8Array
      try {
        point = native.ecdsaRecover(split.compact, split.yParity, digest, false)
      } catch {
        // r or s is not on the curve, so no key has signed this.
        return undefined
      }
      return `0x${keccak256(point.subarray(1)).slice(26)}`
    },
  }
}

/** Recovers signers as `createRecovery` does, in the whole process. */
export const { recover } = createRecovery()

/** Creates the recovery in JavaScript. */
export const createPureRecovery = (): Recovery => ({ kind: 'pure', recover: recoverPure })

async function recoverPure(digest: Uint8Array, signature: string): Promise<string | undefined> {
  const split = splitSignature(signature)
  if (split === undefined) return undefined
  try {
    const address = await recoverAddress({
      hash: digest,
      signature: `0x${split.compact.toString('hex')}${split.yParity === 0 ? '1b' : '1c'}`,
    })
    return address.toLowerCase()
  } catch {
    // r or s is not on the curve, so no key has signed this.
    return undefined
  }
}
