import type { MicropaymentOrder } from '@mintmark/facilitator'
import { findPage, type PageQuery, type PageRows, type TimeRange } from '@mintmark/server-kit'
import { type Kysely, sql } from 'kysely'
import type { SettlementState, Tables } from '../../database/tables.ts'
import { normalizePayer } from '../../payment/payer.ts'
import type { PayingAccount } from '../settlements/reserve.ts'
import type { Settlement } from '../settlements/settlement.ts'

/** The columns by which a list of orders can be sorted. Default: newest first. */
export const ORDER_COLUMNS = { createTime: 'created_at' } as const

export interface OrderFilter extends TimeRange {
  readonly status?: SettlementState
  /** The paying wallet. */
  readonly payer?: string
}

/**
 * Lists a page of an account's orders. An order is the account's view of a settlement, from the same row.
 */
export async function listOrders(
  db: Kysely<Tables>,
  account: PayingAccount,
  filter: OrderFilter,
  page: PageQuery,
): Promise<PageRows<MicropaymentOrder>> {
  const { status, from, to } = filter
  const payer = filter.payer && normalizePayer(filter.payer)
  let query = selectOrders(db)
  // An index has the orders of one payer, or of one status.
  if (status !== undefined && payer !== undefined) query = query.where('state', '=', status)
  const columns = {
    account_id: account.id,
    ...(payer === undefined ? status !== undefined && { state: status } : { payer }),
  }
  const found = await findPage(db, 'facilitator.settlements', query, page, {
    index: { columns },
    created: { from, to },
  })
  return { ...found, rows: found.rows.map((settlement) => toOrder(settlement, account)) }
}

/** Finds an order of an account by its number. */
export async function findOrder(
  db: Kysely<Tables>,
  account: PayingAccount,
  orderNo: string,
): Promise<MicropaymentOrder | undefined> {
  const settlement = await selectOrders(db)
    .where('account_id', '=', account.id)
    .where('order_no', '=', orderNo)
    .executeTakeFirst()
  return settlement && toOrder(settlement, account)
}

/** What was refunded of a payment, or by a refund. The index `settlements_refunds` has the refunds of a payment. */
const refunded = sql<string>`coalesce(facilitator.settlements.refund_amount, (
  select sum(r.refund_amount) from facilitator.settlements r
  where r.refund_of = facilitator.settlements.nonce and r.payer = facilitator.settlements.payer
    and r.network = facilitator.settlements.network and r.state = 'settled'), 0)`.as('refunded')

const selectOrders = (db: Kysely<Tables>) =>
  db.selectFrom('facilitator.settlements').selectAll().select(refunded)

/** Reads what was refunded of the payment of a settlement, or by it, in base units of the asset. */
export async function readRefunded(db: Kysely<Tables>, settlementId: number): Promise<string> {
  const selected = db.selectFrom('facilitator.settlements').select(refunded)
  return (await selected.where('id', '=', settlementId).executeTakeFirstOrThrow()).refunded
}

function toOrder(
  settlement: Settlement & { readonly refunded: string },
  account: PayingAccount,
): MicropaymentOrder {
  return {
    orderNo: settlement.order_no,
    payer: settlement.payer,
    account: account.payer,
    status: settlement.state,
    price: settlement.price,
    network: settlement.network,
    scheme: settlement.scheme,
    asset: settlement.asset,
    payTo: settlement.pay_to,
    amount: settlement.amount,
    refunded: settlement.refunded,
    resource: settlement.resource,
    transaction: settlement.transaction ?? '',
    upstreamStatus: settlement.upstream_status ?? 0,
    createTime: settlement.created_at.toISOString(),
    ...(settlement.ended_at !== null && { settleTime: settlement.ended_at.toISOString() }),
  }
}
