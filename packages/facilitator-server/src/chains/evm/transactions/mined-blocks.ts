import { sql } from 'kysely'
import type { Store } from '../../../database/store.ts'

/** A block with mined transactions. */
export interface MinedBlock {
  number: bigint
  hash: string
}

interface MinedBlockRow {
  block_number: string
  block_hash: string
}

const toMinedBlock = ({ block_number, block_hash }: MinedBlockRow): MinedBlock => ({
  number: BigInt(block_number),
  hash: block_hash,
})

/**
 * Lists blocks of mined transactions after `after` and up to the block `upTo`, lowest first. Two blocks with
 * the same number are possible, because a reorganization can happen between two receipts.
 */
export async function listMinedBlocks(
  db: Store,
  chainId: number,
  { after, upTo, limit }: { after: MinedBlock; upTo: bigint; limit: number },
): Promise<MinedBlock[]> {
  const { rows } = await sql<MinedBlockRow>`
    select block_number, block_hash from facilitator.transactions
    where chain_id = ${chainId} and state = 'mined' and block_number <= ${upTo}
      and (block_number, block_hash) > (${after.number}, ${after.hash})
    group by block_number, block_hash order by block_number, block_hash limit ${limit}`.execute(db)
  return rows.map(toMinedBlock)
}

/** Lists blocks of the signer's mined transactions whose nonce is at least `fromNonce`. */
export async function listMinedBlocksFromNonce(
  db: Store,
  { chainId, signer }: { chainId: number; signer: string },
  fromNonce: number,
): Promise<MinedBlock[]> {
  const { rows } = await sql<MinedBlockRow>`
    select distinct block_number, block_hash from facilitator.transactions
    where chain_id = ${chainId} and signer = ${signer} and nonce >= ${fromNonce} and state = 'mined'`.execute(
    db,
  )
  return rows.map(toMinedBlock)
}

/** Marks the mined transactions of a final block as final. @returns Their number. */
export async function finalizeBlock(db: Store, chainId: number, block: MinedBlock): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update facilitator.transactions set state = 'final' where id in (${selectMined(chainId, block)})`.execute(
    db,
  )
  return Number(numAffectedRows)
}

/**
 * Marks the mined transactions of a block that a reorganization removed as sent, so that they are broadcast
 * again.
 */
export async function revertBlock(db: Store, chainId: number, block: MinedBlock): Promise<void> {
  await sql`
    update facilitator.transactions set state = 'sent', hash = null, succeeded = null, block_number = null,
      block_hash = null
    where id in (${selectMined(chainId, block)})`.execute(db)
}

/**
 * Locks the mined transactions of a block in the order of their ids: sweeps of several processes wait for
 * each other.
 */
const selectMined = (chainId: number, { number, hash }: MinedBlock) => sql`
  select id from facilitator.transactions
  where chain_id = ${chainId} and state = 'mined' and block_number = ${number} and block_hash = ${hash}
  order by id for no key update`
