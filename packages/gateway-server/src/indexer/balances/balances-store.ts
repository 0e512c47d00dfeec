import { type RawBuilder, sql } from 'kysely'
import { zeroAddress } from 'viem'
import type { Db } from '../../tables.ts'
import type { BlockRange } from '../blocks/read-range.ts'
import type { AssetKey, DomainOperations } from '../domain-operations.ts'
import type { TokenTransfer } from '../transfers/transfer-logs.ts'
import { type BalanceChange, sumBalanceChanges } from './balance-changes.ts'

/**
 * Writes the transfers of a range, each once, and updates balances and assets. Returns the assets that
 * changed.
 */
export async function addTransfers(
  trx: Db,
  domains: DomainOperations,
  chainId: string,
  range: BlockRange,
): Promise<AssetKey[]> {
  const { transfers, times, to } = range
  if (transfers.length === 0) return []
  const addresses = [...new Set(transfers.map(({ nftAddress }) => nftAddress))]
  const isNew = isStrictlyAscending(transfers) && !(await hasTransfers(trx, chainId, range))
  const column = <Value>(read: (transfer: TokenTransfer) => Value) => transfers.map(read)
  return await applyTransfers(trx, domains, {
    chainId,
    changes: isNew ? selectSums(sumBalanceChanges(transfers)) : sumMoved(1),
    block: to,
    addresses,
    statement: sql`
      insert into gateway.chain_transfers (chain_id, block_number, block_time, tx_hash, log_index, batch_index,
        nft_address, nft_id, from_address, to_address, quantity)
      select ${chainId}, t.block, to_timestamp(t.time), t.hash, t.log_index, t.batch_index,
        t.nft_address, t.nft_id, t.from_address, t.to_address, t.quantity
      from unnest(
        ${column(({ block }) => block)}::bigint[], ${column(({ block }) => times.get(block) ?? 0)}::bigint[],
        ${column(({ hash }) => hash)}::text[], ${column(({ logIndex }) => logIndex)}::bigint[],
        ${column(({ batchIndex }) => batchIndex)}::integer[], ${column(({ nftAddress }) => nftAddress)}::text[],
        ${column(({ nftId }) => nftId)}::text[], ${column(({ from }) => from)}::text[],
        ${column((transfer) => transfer.to)}::text[], ${column(({ quantity }) => quantity.toString())}::numeric[]
      ) as t (block, time, hash, log_index, batch_index, nft_address, nft_id, from_address, to_address, quantity)
      order by t.block, t.log_index, t.batch_index
      ${isNew ? sql`` : sql`on conflict on constraint chain_transfers_once do nothing`}`,
  })
}

/** Whether no transfer is contained twice: each has a later place in the chain than the one before. */
function isStrictlyAscending(transfers: readonly TokenTransfer[]): boolean {
  return transfers.every((transfer, index) => {
    const before = transfers[index - 1]
    if (before === undefined) return true
    const difference =
      transfer.block - before.block ||
      transfer.logIndex - before.logIndex ||
      transfer.batchIndex - before.batchIndex
    return difference > 0
  })
}

/**
 * Whether transfers in a range of blocks are stored already. Usually there are none: the cursors say that the
 * range was not read. Then an insert without a conflict clause is a fifth faster. No other process writes
 * transfers of the chain until the transaction ends.
 */
async function hasTransfers(
  trx: Db,
  chainId: string,
  { from, to }: Pick<BlockRange, 'from' | 'to'>,
): Promise<boolean> {
  const { rows } = await sql`
    select from gateway.chain_transfers
    where chain_id = ${chainId} and block_number between ${from} and ${to}
    limit 1`.execute(trx)
  return rows.length > 0
}

/**
 * Deletes the transfers after a block and reverts balances and assets. Returns the assets that changed.
 *
 * What a reorganization takes from a wallet is final once the new branch is final up to the last deleted
 * transfer: until then, another block can contain it again.
 */
export async function removeTransfersAfter(
  trx: Db,
  domains: DomainOperations,
  chainId: string,
  block: number,
): Promise<AssetKey[]> {
  const { rows } = await sql<{ nftAddress: string; last: number }>`
    select nft_address as "nftAddress", max(block_number) as last from gateway.chain_transfers
    where chain_id = ${chainId} and block_number > ${block}
    group by nft_address`.execute(trx)
  return await applyTransfers(trx, domains, {
    chainId,
    changes: sumMoved(-1),
    block: Math.max(0, ...rows.map(({ last }) => last)),
    addresses: rows.map(({ nftAddress }) => nftAddress),
    statement: sql`delete from gateway.chain_transfers where chain_id = ${chainId} and block_number > ${block}`,
  })
}

interface TransferChange {
  readonly chainId: string
  /** Inserts or deletes transfers. */
  readonly statement: RawBuilder<unknown>
  /**
   * A query of the balances' changes: nft_address, nft_id, owner and quantity. It may refer to the rows of
   * the statement as `moved`.
   */
  readonly changes: RawBuilder<unknown>
  /** The last block of the transfers. */
  readonly block: number
  /** The contracts of the transfers. */
  readonly addresses: readonly string[]
}

/** Sums the changes of the rows that a statement inserted, or deleted for a sign of -1. */
const sumMoved = (sign: 1 | -1) => sql`
  select nft_address, nft_id, owner, ${sign}::integer * sum(quantity) as quantity from (
    select nft_address, nft_id, to_address as owner, quantity from moved
    union all
    select nft_address, nft_id, from_address, -quantity from moved) side
  where owner <> ${zeroAddress}
  group by nft_address, nft_id, owner having sum(quantity) <> 0`

/** Selects changes that are summed already, for a statement that inserts all of its transfers. */
function selectSums(changes: readonly BalanceChange[]): RawBuilder<unknown> {
  const column = (read: (change: BalanceChange) => string) => changes.map(read)
  return sql`
    select * from unnest(
      ${column(({ nftAddress }) => nftAddress)}::text[], ${column(({ nftId }) => nftId)}::text[],
      ${column(({ owner }) => owner)}::text[], ${column(({ quantity }) => quantity.toString())}::numeric[]
    ) as c (nft_address, nft_id, owner, quantity)`
}

/**
 * Updates balances by exactly the transfers that the statement inserted or deleted, and the projects' assets
 * by these balances, in a single statement.
 */
async function applyTransfers(
  trx: Db,
  domains: DomainOperations,
  { chainId, statement, changes, block, addresses }: TransferChange,
): Promise<AssetKey[]> {
  if (addresses.length === 0) return []
  // The lock prevents that a contract is removed meanwhile: its assets would stay and never be updated again.
  await sql`
    select id from gateway.contracts
    where chain_id = ${chainId} and indexed and not deleted and nft_address = any(${[...addresses]}::text[])
    order by id for key share`.execute(trx)
  const assets = sql`
    select c.project_id, ${chainId}::text as chain_id, n.nft_address, n.nft_id, c.nft_type, n.owner, n.quantity
    from balance n
    join gateway.contracts c on c.chain_id = ${chainId} and c.nft_address = n.nft_address and c.indexed and not c.deleted`
  const { rows } = await sql<AssetKey>`
    with moved as (${statement} returning nft_address, nft_id, from_address, to_address, quantity),
    change as (${changes}),
    balance as (
      insert into gateway.chain_balances as b (chain_id, nft_address, nft_id, owner, quantity, changed_block)
      select ${chainId}, nft_address, nft_id, owner, quantity, ${block}::bigint from change
      order by nft_address, nft_id, owner
      on conflict (chain_id, nft_address, nft_id, owner) do update
        set quantity = b.quantity + excluded.quantity, changed_block = excluded.changed_block
      returning nft_address, nft_id, owner, quantity)
    ${domains.writeIndexedAssets(assets)}`.execute(trx)
  return rows
}
