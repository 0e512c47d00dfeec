import { createKeccak } from 'hash-wasm'
import type { Hex } from 'viem'

// WebAssembly, because a verify hashes several times, and a batch is hashed whole: JavaScript takes more than
// ten times as long.
const hasher = await createKeccak(256)

/** Hashes bytes with Keccak-256. */
export const keccak256 = (bytes: Uint8Array): Hex => `0x${hasher.init().update(bytes).digest('hex')}`

/** Hashes bytes in hex digits without 0x. The hash has the same form. */
export const hashDigits = (digits: string): string =>
  hasher.init().update(Buffer.from(digits, 'hex')).digest('hex')

/** Hashes a text in UTF-8. The hash has hex digits without 0x. */
export const hashText = (text: string): string => hasher.init().update(text).digest('hex')
