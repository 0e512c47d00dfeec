import { createRequire } from 'node:module'

/** The used part of the npm package `secp256k1`, with libsecp256k1. */
export interface NativeSecp256k1 {
  ecdsaRecover(signature: Uint8Array, recid: number, message: Uint8Array, compressed: boolean): Uint8Array
  /** Signs with a nonce by RFC 6979 and a low s. The signature has r and s, 64 bytes. */
  ecdsaSign(message: Uint8Array, key: Uint8Array): { signature: Uint8Array; recid: number }
}

/**
 * Loads the optional package, which has prebuilt binaries for some platforms and is not compiled at
 * installation. It signs and recovers about 25 times as fast as JavaScript.
 */
export function loadSecp256k1(): NativeSecp256k1 | undefined {
  try {
    // The binding itself, because the main module falls back to a JavaScript implementation that is slower
    // than ours.
    return createRequire(import.meta.url)('secp256k1/bindings.js')
  } catch {
    return undefined
  }
}
