import { setImmediate } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/tables.ts'
import type { BlockRange } from '../blocks/read-range.ts'
import type { AssetKey, DomainOperations } from '../domain-operations.ts'
import type { TokenTransfer } from '../transfers/transfer-logs.ts'
import { type BalanceChange, BalanceSums, type Movement } from './balance-changes.ts'

/** Rows that one statement writes, so that a statement takes about as long for few transfers as for many. */
const MAX_ROWS = 10_000

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
  const { transfers, to } = range
  if (transfers.length === 0) return []
  await lockContracts(trx, chainId, [...new Set(transfers.map(({ nftAddress }) => nftAddress))])
  const isNew = isStrictlyAscending(transfers) && !(await hasTransfers(trx, chainId, range))
  const sums = new BalanceSums()
  for (const part of split(transfers)) {
    if (isNew) await insertNew(trx, insertStatement(chainId, part, range), () => sums.add(part))
    else sums.add(await insertMissing(trx, insertStatement(chainId, part, range)))
  }
  return await changeBalances(trx, domains, { chainId, block: to, changes: sums.listChanges() })
}

/** Inserts transfers of which none is stored, and sums them while the database works. */
async function insertNew(trx: Db, insert: RawBuilder<unknown>, sum: () => void): Promise<void> {
  const sumLater = async () => {
    // The statement is sent before.
    await setImmediate()
    sum()
  }
  await Promise.all([insert.execute(trx), sumLater()])
}

/** Inserts the transfers that are not stored, and returns them. */
async function insertMissing(trx: Db, insert: RawBuilder<unknown>): Promise<Movement[]> {
  const { rows } = await sql<MovedRow>`
    ${insert} on conflict on constraint chain_transfers_once do nothing returning ${MOVED_COLUMNS}`.execute(
    trx,
  )
  return rows.map(toMovement)
}

function insertStatement(
  chainId: string,
  transfers: readonly TokenTransfer[],
  { times }: Pick<BlockRange, 'times'>,
): RawBuilder<unknown> {
  const column = <Value>(read: (transfer: TokenTransfer) => Value) => transfers.map(read)
  return sql`
    insert into gateway.chain_transfers (chain_id, block_number, block_time, tx_hash, log_index, batch_index,
      nft_address, nft_id, from_address, to_address, quantity)
    select ${chainId}, t.block, to_timestamp(t.time), t.hash, t.log_index, t.batch_index,
      t.nft_address, t.nft_id, t.from_address, t.to_address, t.quantity
    from unnest(
      ${column(({ block }) => block)}::bigint[], ${column(({ block }) => times.get(block) ?? 0)}::bigint[],
      ${column(({ hash }) => hash)}::text[], ${column(({ logIndex }) => logIndex)}::bigint[],
      ${column(({ batchIndex }) => batchIndex)}::integer[], ${column(({ nftAddress }) => nftAddress)}::text[],
      ${column(({ nftId }) => nftId)}::text[], ${column(({ from }) => from)}::text[],
      ${column(({ to }) => to)}::text[], ${column(({ quantity }) => quantity.toString())}::numeric[]
    ) as t (block, time, hash, log_index, batch_index, nft_address, nft_id, from_address, to_address, quantity)
    order by t.block, t.log_index, t.batch_index`
}

interface MovedRow extends Omit<Movement, 'quantity'> {
  readonly quantity: string
}
const MOVED_COLUMNS = sql`nft_address as "nftAddress", nft_id as "nftId", from_address as "from", to_address as "to",
  quantity`
const toMovement = (row: MovedRow): Movement => ({ ...row, quantity: BigInt(row.quantity) })

function* split<Item>(items: readonly Item[]): Iterable<readonly Item[]> {
  for (let start = 0; start < items.length; start += MAX_ROWS) yield items.slice(start, start + MAX_ROWS)
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
  const { rows: contracts } = await sql<{ nftAddress: string; last: number }>`
    select nft_address as "nftAddress", max(block_number) as last from gateway.chain_transfers
    where chain_id = ${chainId} and block_number > ${block}
    group by nft_address`.execute(trx)
  if (contracts.length === 0) return []
  await lockContracts(
    trx,
    chainId,
    contracts.map(({ nftAddress }) => nftAddress),
  )
  const { rows } = await sql<MovedRow>`
    delete from gateway.chain_transfers where chain_id = ${chainId} and block_number > ${block}
    returning ${MOVED_COLUMNS}`.execute(trx)
  const sums = new BalanceSums()
  sums.add(rows.map(toMovement).map(({ from, to, ...moved }) => ({ ...moved, from: to, to: from })))
  return await changeBalances(trx, domains, {
    chainId,
    block: Math.max(...contracts.map(({ last }) => last)),
    changes: sums.listChanges(),
  })
}

/**
 * Prevents that contracts are removed until the transaction ends: their assets would stay, and never be
 * updated again.
 */
async function lockContracts(trx: Db, chainId: string, addresses: readonly string[]): Promise<void> {
  await sql`
    select id from gateway.contracts
    where chain_id = ${chainId} and indexed and not deleted and nft_address = any(${[...addresses]}::text[])
    order by id for key share`.execute(trx)
}

interface BalanceChanges {
  readonly chainId: string
  /** No later block contains a transfer that causes one of the changes. */
  readonly block: number
  readonly changes: readonly BalanceChange[]
}

/** Changes balances, and the assets of projects by them. Returns the assets that changed. */
async function changeBalances(
  trx: Db,
  domains: DomainOperations,
  { chainId, block, changes }: BalanceChanges,
): Promise<AssetKey[]> {
  const assets = sql`
    select c.project_id, ${chainId}::text as chain_id, n.nft_address, n.nft_id, c.nft_type, n.owner, n.quantity
    from balance n
    join gateway.contracts c on c.chain_id = ${chainId} and c.nft_address = n.nft_address and c.indexed and not c.deleted`
  const changed: AssetKey[] = []
  for (const part of split(changes)) {
    const column = (read: (change: BalanceChange) => string) => part.map(read)
    const { rows } = await sql<AssetKey>`
      with balance as (
        insert into gateway.chain_balances as b (chain_id, nft_address, nft_id, owner, quantity, changed_block)
        select ${chainId}, nft_address, nft_id, owner, quantity, ${block}::bigint
        from unnest(
          ${column(({ nftAddress }) => nftAddress)}::text[], ${column(({ nftId }) => nftId)}::text[],
          ${column(({ owner }) => owner)}::text[], ${column(({ quantity }) => quantity.toString())}::numeric[]
        ) as c (nft_address, nft_id, owner, quantity)
        order by nft_address, nft_id, owner
        on conflict (chain_id, nft_address, nft_id, owner) do update
          set quantity = b.quantity + excluded.quantity, changed_block = excluded.changed_block
        returning nft_address, nft_id, owner, quantity)
      ${domains.writeIndexedAssets(assets)}`.execute(trx)
    changed.push(...rows)
  }
  return changed
}
