import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../context.ts'
import { ZERO_ADDRESS } from '../../domains/contracts/assets/transfers-store.ts'
import type { Header } from '../blocks/block-source.ts'
import type { Span } from '../blocks/read-range.ts'
import type { TokenTransfer } from '../transfers/transfer-logs.ts'

/** An asset of a project. */
export interface TokenKey {
  readonly project: number
  readonly asset: number
}

/** Writes the transfers of a span, each once, and what owners have by them. Answers the assets of projects that changed. */
export async function addSpan(trx: Db, chainId: string, span: Span): Promise<TokenKey[]> {
  const { transfers, times, to } = span
  if (transfers.length === 0) return []
  const column = <Value>(read: (transfer: TokenTransfer) => Value) => transfers.map(read)
  return await settle(trx, {
    ...{ chainId, sign: 1, block: to },
    addresses: [...new Set(column((transfer) => transfer.nftAddress))],
    moves: sql`
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
      on conflict on constraint chain_transfers_once do nothing`,
  })
}

/** Takes back every transfer after a block, and what owners have by them. Answers the assets of projects that changed. */
export async function removeAfter(trx: Db, chainId: string, block: number): Promise<TokenKey[]> {
  const { rows } = await sql<{ nftAddress: string }>`
    select distinct nft_address as "nftAddress" from gateway.chain_transfers
    where chain_id = ${chainId} and block_number > ${block}`.execute(trx)
  return await settle(trx, {
    ...{ chainId, sign: -1, block: Math.max(0, block) },
    addresses: rows.map(({ nftAddress }) => nftAddress),
    moves: sql`delete from gateway.chain_transfers where chain_id = ${chainId} and block_number > ${block}`,
  })
}

interface Moves {
  readonly chainId: string
  /** The statement that writes or takes back transfers. */
  readonly moves: RawBuilder<unknown>
  readonly sign: 1 | -1
  /** The last block that the moves are of. */
  readonly block: number
  /** The contracts that the moves are of. */
  readonly addresses: readonly string[]
}

/** Balances by exactly those transfers that the statement wrote or took back, and by the balances the projects' assets: one statement. */
async function settle(trx: Db, { chainId, moves, sign, block, addresses }: Moves): Promise<TokenKey[]> {
  if (addresses.length === 0) return []
  // One that is removed meanwhile would keep assets that nobody writes any more.
  await sql`
    select id from gateway.contracts
    where chain_id = ${chainId} and indexed and not deleted and nft_address = any(${[...addresses]}::text[])
    order by id for key share`.execute(trx)
  const { rows } = await sql<TokenKey>`
    with moved as (${moves} returning nft_address, nft_id, from_address, to_address, quantity),
    change as (
      select nft_address, nft_id, owner, sum(quantity) as quantity from (
        select nft_address, nft_id, to_address as owner, quantity from moved
        union all
        select nft_address, nft_id, from_address, -quantity from moved) side
      where owner <> ${ZERO_ADDRESS}
      group by nft_address, nft_id, owner having sum(quantity) <> 0),
    balance as (
      insert into gateway.chain_balances as b (chain_id, nft_address, nft_id, owner, quantity, changed_block)
      select ${chainId}, nft_address, nft_id, owner, ${sign}::integer * quantity, ${block}::bigint from change
      order by nft_address, nft_id, owner
      on conflict (chain_id, nft_address, nft_id, owner) do update
        set quantity = b.quantity + excluded.quantity, changed_block = excluded.changed_block
      returning nft_address, nft_id, owner, quantity)
    insert into gateway.assets as a (project_id, chain_id, nft_address, nft_id, nft_type, owner, quantity, indexed)
    select c.project_id, ${chainId}, n.nft_address, n.nft_id, c.nft_type, n.owner,
      gateway.shown_balance(n.quantity), true
    from balance n
    join gateway.contracts c on c.chain_id = ${chainId} and c.nft_address = n.nft_address and c.indexed and not c.deleted
    where n.quantity > 0 or exists (
      select from gateway.assets o
      where o.project_id = c.project_id and o.chain_id = ${chainId} and o.nft_address = n.nft_address
        and o.nft_id = n.nft_id and o.owner = n.owner)
    order by c.project_id, n.nft_address, n.nft_id, n.owner
    on conflict on constraint assets_owner do update
      set quantity = excluded.quantity, indexed = true, updated_at = clock_timestamp()
      where (a.quantity, a.indexed) is distinct from (excluded.quantity, true)
    returning a.project_id as project, a.id as asset`.execute(trx)
  return rows
}

/** Notes that a span is read for these contracts; the chain's own reading goes on after it where it began there. */
export async function passSpan(
  trx: Db,
  chainId: string,
  span: Pick<Span, 'from' | 'to'>,
  { addresses, live, time }: { addresses: readonly string[]; live: boolean; time: number | undefined },
): Promise<void> {
  await sql`
    update gateway.indexed_contracts set next_block = ${span.to + 1}
    where chain_id = ${chainId} and nft_address = any(${[...addresses]}::text[])
      and next_block = ${span.from}`.execute(trx)
  if (!live) return
  await sql`
    update gateway.chain_cursors
    set next_block = ${span.to + 1}, read_block_time = coalesce(to_timestamp(${time ?? null}), read_block_time)
    where chain_id = ${chainId} and next_block = ${span.from}`.execute(trx)
}

/** Keeps blocks, and forgets those before `keepFrom`. */
export async function keepBlocks(
  trx: Db,
  chainId: string,
  headers: readonly Header[],
  keepFrom: number,
): Promise<void> {
  await sql`
    delete from gateway.chain_blocks where chain_id = ${chainId} and number < ${keepFrom}`.execute(trx)
  await sql`
    insert into gateway.chain_blocks as b (chain_id, number, hash)
    select ${chainId}, k.number, k.hash
    from unnest(${headers.map(({ number }) => number)}::bigint[], ${headers.map(({ hash }) => hash)}::text[])
      as k (number, hash)
    on conflict (chain_id, number) do update set hash = excluded.hash`.execute(trx)
}

/** Goes back to a block: whatever came after is to be read again. */
export async function rewindTo(trx: Db, chainId: string, block: number): Promise<void> {
  const next = block + 1
  await sql`
    delete from gateway.chain_blocks where chain_id = ${chainId} and number > ${block}`.execute(trx)
  await sql`
    update gateway.chain_cursors set next_block = least(next_block, ${next}) where chain_id = ${chainId}`.execute(
    trx,
  )
  await sql`
    update gateway.indexed_contracts set next_block = least(next_block, ${next})
    where chain_id = ${chainId} and next_block is not null`.execute(trx)
}
