import { createHash } from 'node:crypto'
import { decodeBase58, encodeBase58 } from './base58.ts'

export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
export const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
const ASSOCIATED_TOKEN_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'

/** The field and the constant of the curve of Ed25519. */
const P = 2n ** 255n - 19n
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  let square = base % P
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % P
    square = (square * square) % P
  }
  return result
}

/** Whether 32 bytes are a point of the curve, so that they may be the address of a key. */
function isOnCurve(bytes: Buffer): boolean {
  const littleEndian = Buffer.from(bytes).reverse()
  // The highest bit is the sign of x.
  littleEndian[0] = littleEndian.readUInt8(0) & 0x7f
  const y = BigInt(`0x${littleEndian.toString('hex')}`) % P
  const square = (y * y) % P
  const numerator = (square - 1n + P) % P
  const denominator = (D * square + 1n) % P
  // x² = numerator / denominator has a solution if it is a square of the field.
  const xSquare = (numerator * power(denominator, P - 2n)) % P
  return xSquare === 0n || power(xSquare, (P - 1n) / 2n) === 1n
}

/**
 * Computes the address of a wallet's token account that everybody pays to.
 *
 * @throws Error if an address is malformed.
 */
export function findAssociatedAccount(owner: string, mint: string, tokenProgram: string): string {
  const [program, ...seeds] = [ASSOCIATED_TOKEN_PROGRAM, owner, tokenProgram, mint].map((address) => {
    const bytes = decodeBase58(address, 32)
    if (bytes === undefined) throw new Error('An address is malformed')
    return bytes
  })
  if (program === undefined) throw new Error('The program is missing')
  for (let bump = 255; bump >= 0; bump -= 1) {
    const parts = [...seeds, Buffer.of(bump), program, Buffer.from('ProgramDerivedAddress')]
    const derived = createHash('sha256').update(Buffer.concat(parts)).digest()
    if (!isOnCurve(derived)) return encodeBase58(derived)
  }
  throw new Error('No address can be derived')
}
