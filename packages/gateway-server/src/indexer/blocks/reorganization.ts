import { type BlockHeader, ChainChangedError } from '@mintmark/evm-reader'
import type { BlockSource } from './block-source.ts'

/** The chain compared with the stored blocks. */
export type ChainComparison =
  /** All stored blocks are in the chain. */
  | { readonly kind: 'same' }
  /** The node has not reached the stored blocks, so nothing is known. */
  | { readonly kind: 'behind' }
  /**
   * The blocks after `ancestor` were replaced. `beyondStored`: all stored blocks were replaced, so that the
   * ancestor is not known exactly.
   */
  | { readonly kind: 'reorganized'; readonly ancestor: number; readonly beyondStored: boolean }

/**
 * Compares the stored blocks with the chain.
 *
 * @param storedHashes Stored hashes by block number, ascending.
 * @throws ChainChangedError when the node does not have a block below the head.
 */
export async function compareChain(
  source: Pick<BlockSource, 'compareBlock' | 'getFinalBlock'>,
  storedHashes: ReadonlyMap<number, string>,
  head: BlockHeader,
): Promise<ChainComparison> {
  const numbers = [...storedHashes.keys()]
  const lowest = numbers[0]
  const newest = numbers.at(-1)
  if (lowest === undefined || newest === undefined) return { kind: 'same' }
  const isSame = (number: number) => hasStoredHash(source, storedHashes, head, number)
  if (head.number < newest) {
    // The chain is shorter than the stored blocks. If the node only lags behind, all blocks that it has are
    // the same.
    const common = numbers.findLast((number) => number <= head.number)
    if (common === undefined || (await isSame(common))) return { kind: 'behind' }
  } else if (await isSame(newest)) {
    return { kind: 'same' }
  }
  const ancestor = await findAncestor(numbers, head.number, isSame)
  if (ancestor !== undefined) return { kind: 'reorganized', ancestor, beyondStored: false }
  const final = await source.getFinalBlock()
  // If a final block contradicts the stored blocks, no common block is known and everything is read again.
  return { kind: 'reorganized', ancestor: final < lowest ? final : -1, beyondStored: true }
}

async function hasStoredHash(
  source: Pick<BlockSource, 'compareBlock'>,
  storedHashes: ReadonlyMap<number, string>,
  head: BlockHeader,
  number: number,
): Promise<boolean> {
  const stored = storedHashes.get(number) ?? ''
  if (number === head.number) return head.hash === stored
  const comparison = await source.compareBlock({ number, hash: stored })
  // One of several nodes behind the same address lags behind. That is no reorganization.
  if (comparison === 'unknown') throw new ChainChangedError(`block ${number} is missing`)
  return comparison === 'same'
}

/**
 * Finds the newest stored block that is still in the chain, by bisection: if a block is the same, so are all
 * before it.
 */
async function findAncestor(
  numbers: readonly number[],
  head: number,
  isSame: (number: number) => Promise<boolean>,
): Promise<number | undefined> {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const number = numbers[middle]
    if (number !== undefined && number <= head && (await isSame(number))) low = middle + 1
    else high = middle
  }
  return numbers[low - 1]
}
