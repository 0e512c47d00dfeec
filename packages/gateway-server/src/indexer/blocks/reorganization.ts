import type { Db } from '../../context.ts'
import { removeAfter, rewindTo } from '../balances/balances-store.ts'
import { tendPromises } from '../collateral/collateral.ts'
import { deliveredAfter, undeliver } from '../transfers/deliveries-store.ts'
import { ChainMoved, type ChainReader, type Header } from './block-source.ts'

/** Where a chain's reading goes on. */
export type Standing =
  /** What was read is the chain's. */
  | { readonly kind: 'same' }
  /** The node has not come as far as what was read, and tells nothing. */
  | { readonly kind: 'behind' }
  /** Blocks after this one were replaced. `beyondKept`: so deep that it is not known which were. */
  | { readonly kind: 'reorganised'; readonly ancestor: number; readonly beyondKept: boolean }

/**
 * Compares what was read with what the chain is now.
 *
 * @param kept Hashes of the blocks that are kept, by their numbers, rising.
 */
export async function standingOf(
  reader: Pick<ChainReader, 'header' | 'final'>,
  kept: ReadonlyMap<number, string>,
  head: Header,
): Promise<Standing> {
  const numbers = [...kept.keys()]
  const [lowest, newest] = [numbers[0], numbers.at(-1)]
  if (lowest === undefined || newest === undefined) return { kind: 'same' }
  const fits = async (number: number) => {
    const hash = number === head.number ? head.hash : (await reader.header(number))?.hash
    // Of several nodes behind one address the one that answered is behind: that tells of no reorganisation.
    if (hash === undefined) throw new ChainMoved(`block ${number} is not there`)
    return hash === kept.get(number)
  }
  if (head.number < newest) {
    // Shorter than what was read: of a node that is merely behind all blocks fit.
    const common = numbers.findLast((number) => number <= head.number)
    if (common === undefined || (await fits(common))) return { kind: 'behind' }
  } else if (await fits(newest)) return { kind: 'same' }

  // Where one block is the same, so are all before it.
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const number = numbers[middle]
    if (number !== undefined && number <= head.number && (await fits(number))) low = middle + 1
    else high = middle
  }
  const ancestor = numbers[low - 1]
  if (ancestor !== undefined) return { kind: 'reorganised', ancestor, beyondKept: false }
  const final = await reader.final()
  // What is final by now contradicts what was read: there is no point that both have, that one would know of.
  return { kind: 'reorganised', ancestor: final < lowest ? final : -1, beyondKept: true }
}

/** Takes back all that was read after a block. */
export async function rewind(trx: Db, chainId: string, block: number): Promise<void> {
  const orders = await deliveredAfter(trx, chainId, block)
  const changed = await removeAfter(trx, chainId, block)
  await rewindTo(trx, chainId, block)
  for (const order of orders) await undeliver(trx, order)
  await tendPromises(trx, changed)
}
