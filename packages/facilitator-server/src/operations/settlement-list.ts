import type { OperatorSettlement } from '@mintmark/facilitator/operator'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { SettlementState, Tables } from '../database/tables.ts'
import type { Settlement } from '../ledger/settlements/settlement.ts'
import { normalizePayer } from '../payment/payer.ts'
import { findScheme } from '../schemes/registry.ts'

/** The settlements to list. `stuck` ones have had no outcome for `STUCK_SECONDS`. */
export interface SettlementFilter {
  readonly status?: SettlementState | 'stuck' | undefined
  readonly accountId?: number | undefined
  readonly payer?: string | undefined
  readonly orderNo?: string | undefined
  readonly transaction?: string | undefined
}

/** A part of a list: at most `size` rows, older than the row `before`. */
export interface ListPart {
  readonly before: number | undefined
  readonly size: number
}

export interface ListedSettlements {
  readonly rows: readonly Settlement[]
  /** Where the list continues. Undefined at its end. */
  readonly next: number | undefined
}

const STUCK_SECONDS = 300
/** The rows that are read for one part of a list that no index has. */
const SCANNED_ROWS = 10_000

/**
 * Lists settlements, newest first. The number of rows that a call reads is limited, whatever the filter is:
 * by an index of the account, of the unfinished settlements, of the order's number or of the transaction, and
 * otherwise by `SCANNED_ROWS`.
 */
export async function listSettlements(
  db: Kysely<Tables>,
  filter: SettlementFilter,
  part: ListPart,
): Promise<ListedSettlements> {
  const { status, accountId, orderNo, transaction, payer } = filter
  if (orderNo !== undefined)
    return await readPart(db, selectWhere(sql`s.order_no = ${orderNo}`), filter, part)
  if (transaction !== undefined) return await readPart(db, selectByTransaction(transaction), filter, part)
  if (accountId !== undefined)
    return await readPart(db, selectOfAccounts(sql`a.id = ${accountId}`, filter, part), filter, part)
  if (status === 'sent' || status === 'unknown' || status === 'stuck')
    // The states are constants, because a parameter would exclude the partial index.
    return await readPart(db, selectWhere(sql`s.state in ('sent', 'unknown')`), filter, part)
  if (payer !== undefined) return await readPart(db, selectOfAccounts(sql`true`, filter, part), filter, part)
  return await scan(db, filter, part)
}

const selectWhere = (condition: RawBuilder<unknown>) =>
  sql`select s.* from facilitator.settlements s where ${condition}`

/**
 * Selects by a transaction that the facilitator signed, on an EVM chain or on Solana, or that the remote
 * upstream returned.
 */
function selectByTransaction(hash: string): RawBuilder<unknown> {
  const lower = hash.toLowerCase()
  return sql`
    select s.* from facilitator.settlements s where s.id in (
      select t.settlement_id from facilitator.transaction_attempts a
      join facilitator.transactions t on t.id = a.transaction_id or t.batch_id = a.transaction_id
      where a.hash = ${lower} and t.settlement_id is not null
      union
      select v.settlement_id from facilitator.svm_transactions v where v.signature = ${hash}
      union
      select r.id from facilitator.settlements r where r.upstream = 'remote' and r.transaction = any(${[lower, hash]}))`
}

/** Selects the newest settlements of each account, by the indexes of the account with a payer or a state. */
function selectOfAccounts(
  accounts: RawBuilder<unknown>,
  { payer, status }: SettlementFilter,
  { before, size }: ListPart,
): RawBuilder<unknown> {
  const state = status === 'stuck' ? undefined : status
  return sql`
    select newest.* from facilitator.accounts a cross join lateral (
      select s.* from facilitator.settlements s
      where s.account_id = a.id ${payer === undefined ? sql`` : sql`and s.payer = ${normalizePayer(payer)}`}
        ${state === undefined ? sql`` : sql`and s.state = ${state}`}
        ${status === 'stuck' ? IS_STUCK : sql``}
        ${isBefore(before)}
      order by s.created_at desc, s.id desc limit ${size + 1}) newest
    where ${accounts}`
}

const IS_STUCK = sql`and s.state in ('sent', 'unknown')
  and s.reserved_at < clock_timestamp() - make_interval(secs => ${sql.lit(STUCK_SECONDS)})`

/** The condition that a row is older than the last row of the previous part. */
const isBefore = (before: number | undefined) =>
  before === undefined
    ? sql``
    : sql`and (s.created_at, s.id) < (
        select b.created_at, b.id from facilitator.settlements b where b.id = ${before})`

/** Reads a part of the selected rows. Every condition of the filter is checked here. */
async function readPart(
  db: Kysely<Tables>,
  selected: RawBuilder<unknown>,
  filter: SettlementFilter,
  { before, size }: ListPart,
): Promise<ListedSettlements> {
  const { rows } = await sql<Settlement>`
    select s.* from (${selected}) s where true ${matches(filter)} ${isBefore(before)}
    order by s.created_at desc, s.id desc limit ${size + 1}`.execute(db)
  const listed = rows.slice(0, size)
  return { rows: listed, next: rows.length > size ? listed.at(-1)?.id : undefined }
}

function matches({ status, accountId, payer, orderNo }: SettlementFilter): RawBuilder<unknown> {
  const conditions = [
    status === 'stuck' ? IS_STUCK : status === undefined ? sql`` : sql`and s.state = ${status}`,
    accountId === undefined ? sql`` : sql`and s.account_id = ${accountId}`,
    payer === undefined ? sql`` : sql`and s.payer = ${normalizePayer(payer)}`,
    orderNo === undefined ? sql`` : sql`and s.order_no = ${orderNo}`,
  ]
  return sql.join(conditions, sql` `)
}

/**
 * Reads the newest `SCANNED_ROWS` rows by their ids, and lists those that match. Ids have the order of
 * creation, except of concurrent calls.
 */
async function scan(
  db: Kysely<Tables>,
  filter: SettlementFilter,
  { before, size }: ListPart,
): Promise<ListedSettlements> {
  const { rows } = await sql<Settlement & { last_scanned: number | null }>`
    with scanned as materialized (
      select s.* from facilitator.settlements s ${before === undefined ? sql`` : sql`where s.id < ${before}`}
      order by s.id desc limit ${filter.status === undefined ? size + 1 : SCANNED_ROWS})
    select s.*, (select min(id) from scanned having count(*) = ${SCANNED_ROWS}) as last_scanned
    from (select 1) one left join lateral (
      select * from scanned s where true ${matches(filter)} order by s.id desc limit ${size + 1}) s on true
    order by s.id desc`.execute(db)
  const matching = rows.filter(({ id }) => id !== null)
  const listed = matching.slice(0, size)
  const next = matching.length > size ? listed.at(-1)?.id : (rows[0]?.last_scanned ?? undefined)
  return { rows: listed, next }
}

/** Converts a settlement to its record. */
export function toOperatorSettlement(row: Settlement, now: number = Date.now()): OperatorSettlement {
  const isOpen = row.state === 'sent' || row.state === 'unknown'
  return {
    id: row.id,
    orderNo: row.order_no,
    accountId: row.account_id,
    payer: row.payer,
    status: row.state,
    hold: row.hold,
    price: row.price,
    network: row.network,
    scheme: row.scheme,
    method: findScheme(row).method,
    asset: row.asset,
    payTo: row.pay_to,
    amount: row.amount,
    upstream: row.upstream,
    transaction: row.transaction ?? '',
    reason: row.reason ?? '',
    message: row.message ?? '',
    checkCount: row.check_count,
    ...(isOpen && { openSeconds: Math.max(0, Math.round((now - row.reserved_at.getTime()) / 1000)) }),
    createTime: row.created_at.toISOString(),
    ...(row.ended_at !== null && { endTime: row.ended_at.toISOString() }),
  }
}
