import type { SvmTerms } from './svm-terms.ts'

const MINT_BYTES = 82
/**
 * Where the extensions of a Token-2022 mint begin: after the base, its padding and the type of the account.
 */
const EXTENSIONS_OFFSET = 166
const TRANSFER_FEE = 1
const TRANSFER_HOOK = 14

/**
 * Returns why payments in a mint are not accepted: the recipient would receive less than the amount, or
 * another program would run. Undefined if they are.
 */
export function findMintProblem(
  mint: { owner: string; data: Buffer } | null | undefined,
  { tokenProgram, decimals }: Pick<SvmTerms, 'tokenProgram' | 'decimals'>,
): string | undefined {
  if (!mint || mint.owner !== tokenProgram || mint.data.length < MINT_BYTES)
    return 'The asset is not a mint of the token program of the transfer'
  if (mint.data.readUInt8(44) !== decimals) return 'The transfer has other decimals than the asset'
  if (mint.data.length === MINT_BYTES) return undefined
  let offset = EXTENSIONS_OFFSET
  while (offset + 4 <= mint.data.length) {
    const type = mint.data.readUInt16LE(offset)
    const size = mint.data.readUInt16LE(offset + 2)
    const data = mint.data.subarray(offset + 4, offset + 4 + size)
    if (data.length !== size) return 'The extensions of the asset are malformed'
    if (type === TRANSFER_FEE && hasFee(data)) return 'The asset has a fee on transfers'
    if (type === TRANSFER_HOOK && data.subarray(32, 64).some((byte) => byte !== 0))
      return 'The asset calls a program on transfers'
    // The rest is padding.
    if (type === 0) break
    offset += 4 + size
  }
  return undefined
}

/** Whether the fee of the present epoch, or the one of a later epoch, is above zero. */
const hasFee = (data: Buffer): boolean =>
  data.length !== 108 || data.readUInt16LE(88) !== 0 || data.readUInt16LE(106) !== 0
