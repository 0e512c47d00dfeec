import type { MintChain, MintLog } from '../../../chain/mint-chain.ts'
import type { ReservationRow } from '../reservations/reservations-store.ts'

/** A signature whose use is searched on its chain. */
export type SignatureRow = Pick<ReservationRow, 'minter' | 'recipient' | 'uid'> & {
  readonly chain_id: string
  readonly nft_address: string
}

/** Most nodes accept this many blocks in one request. */
const RANGE_BLOCKS = 1000
/** A reorganization may put the mint into a block before the one that was the newest when it was signed. */
const BLOCKS_BEFORE_SIGNING = 100
/** Blocks behind the last one searched that are searched again: the node that responded may not have had them yet. */
const REREAD_BLOCKS = 100

/** The first block that may hold the mint of a signature. */
export const firstBlockOf = ({ from_block }: Pick<ReservationRow, 'from_block'>): number =>
  Math.max(1, from_block - BLOCKS_BEFORE_SIGNING + 1)

/** The block at which the search for a mint continues. */
export const nextBlockOf = (row: Pick<ReservationRow, 'from_block' | 'searched_to'>): number =>
  Math.max(firstBlockOf(row), row.searched_to - REREAD_BLOCKS + 1)

/** Splits blocks, both ends included, into ranges for one request each. */
export function* rangesOf(from: number, to: number): Generator<{ from: number; to: number }> {
  for (let at = from; at <= to; at += RANGE_BLOCKS)
    yield { from: at, to: Math.min(to, at + RANGE_BLOCKS - 1) }
}

/**
 * Searches blocks for the mint of a signature. A missing mint proves nothing: a node that lags behind searches only the blocks that it has.
 */
export async function searchMint(
  chain: MintChain,
  row: SignatureRow,
  from: number,
  to: number,
): Promise<MintLog | undefined> {
  const filter = { contract: row.nft_address, minter: row.minter, recipient: row.recipient }
  for (const range of rangesOf(from, to)) {
    const mints = await chain.listMints(row.chain_id, filter, range.from, range.to)
    const mint = mints.find(({ uid }) => uid === row.uid)
    if (mint !== undefined) return mint
  }
  return undefined
}

/** Searches final blocks. A mint in a block that was replaced before it was final does not count. */
export async function searchFinalMint(
  chain: MintChain,
  row: SignatureRow,
  from: number,
  to: number,
): Promise<MintLog | undefined> {
  const seen = await searchMint(chain, row, from, to)
  if (seen === undefined) return undefined
  const filter = { contract: row.nft_address, minter: row.minter, recipient: row.recipient }
  const mints = await chain.listMintsInBlock(row.chain_id, filter, seen.block)
  return mints.find(({ uid }) => uid === row.uid)
}
