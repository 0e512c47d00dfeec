import { ChainUnavailableError } from '../../../chain/chain-access.ts'
import type { FinalMoment, MintChain, MintLog } from '../../../chain/mint-chain.ts'
import type { ReservationRow } from '../reservations/reservations-store.ts'

/** A signature whose use is searched on its chain. */
export type SignatureRow = Pick<ReservationRow, 'minter' | 'recipient' | 'uid'> & {
  readonly chain_id: string
  readonly nft_address: string
}

/**
 * Blocks of one step of the search, and steps of one search: a node may refuse all but the smallest ranges.
 */
const RANGE_BLOCKS = 1_000
const MAX_STEPS = 8
/** A reorganization may put the mint into a block before the one that was the newest when it was signed. */
const BLOCKS_BEFORE_SIGNING = 100
/**
 * Blocks behind the last one searched that are searched again: the node that responded may not have had them
 * yet.
 */
const REREAD_BLOCKS = 100

/** The first block that may hold the mint of a signature. */
export const firstBlockOf = ({ from_block }: Pick<ReservationRow, 'from_block'>): number =>
  Math.max(1, from_block - BLOCKS_BEFORE_SIGNING + 1)

/** The block at which the search for a mint continues. */
export const nextBlockOf = (row: Pick<ReservationRow, 'from_block' | 'searched_to'>): number =>
  Math.max(firstBlockOf(row), row.searched_to - REREAD_BLOCKS + 1)

/** Blocks, both ends included. */
export interface BlockRange {
  readonly from: number
  readonly to: number
}

/** Splits blocks into ranges. */
export function* rangesOf(from: number, to: number): Generator<BlockRange> {
  for (let at = from; at <= to; at += RANGE_BLOCKS)
    yield { from: at, to: Math.min(to, at + RANGE_BLOCKS - 1) }
}

/**
 * Searches blocks for the mint of a signature, as far as the nodes have them. A missing mint proves nothing:
 * a node that lags behind searches only the blocks that it has.
 *
 * @throws ChainUnavailableError when not even the first block can be read.
 */
export async function searchMint(
  chain: MintChain,
  row: SignatureRow,
  from: number,
  to: number,
): Promise<MintLog | undefined> {
  for (let next = from; next <= to; ) {
    const searched = await searchRange(chain, row, { from: next, to }).catch((error: unknown) => {
      if (next > from && error instanceof ChainUnavailableError) return undefined
      throw error
    })
    if (searched === undefined || searched.mint !== undefined) return searched?.mint
    next = searched.to + 1
  }
  return undefined
}

/** What the blocks up to `to` have shown. */
export interface FinalSearch {
  readonly mint: MintLog | undefined
  readonly to: number
}

/**
 * Searches final blocks, until the mint is found or `MAX_STEPS` requests were made. A mint in a block that
 * was replaced before it was final does not count: every node that responds has the final block.
 */
export async function searchFinalMint(
  chain: MintChain,
  row: SignatureRow,
  { from, to }: BlockRange,
  final: FinalMoment,
): Promise<FinalSearch> {
  let last = from - 1
  for (let step = 0; step < MAX_STEPS && last < to; step += 1) {
    const searched = await searchRange(chain, row, { from: last + 1, to }, final)
    if (searched.mint !== undefined) {
      const mints = await chain.listMintsInBlock(row.chain_id, toFilter(row), searched.mint.block, final)
      return { ...searched, mint: mints.find(({ uid }) => uid === row.uid) }
    }
    last = searched.to
  }
  return { mint: undefined, to: last }
}

async function searchRange(
  chain: MintChain,
  row: SignatureRow,
  range: BlockRange,
  final?: FinalMoment,
): Promise<FinalSearch> {
  const { mints, to: last } = await chain.listMints(row.chain_id, toFilter(row), range, final)
  return { mint: mints.find(({ uid }) => uid === row.uid), to: last }
}

const toFilter = ({ nft_address: contract, minter, recipient }: SignatureRow) => ({
  contract,
  minter,
  recipient,
})
