import { OrderStatus } from '@mintmark/orders'
import { sql } from 'kysely'
import type { Db } from '../../../database/tables.ts'

const names = Object.fromEntries(Object.entries(OrderStatus).map(([name, status]) => [status, name]))

/** Outcomes of a reported transaction that need no operator. */
export const HARMLESS_OUTCOMES: readonly string[] = ['reverted', 'unrelated', 'refunded', 'dismissed']

/** A transaction that was reported for an order. */
export interface StuckPayment {
  readonly hash: string
  /** Empty while it is not final. */
  readonly outcome: string
  /** What it moved from the buyer to the seller, in base units; 0 while that is unknown. */
  readonly paid: string
  /** What the seller owes the buyer of it, in base units. */
  readonly refundDue: string
}

/** How long a seller may take to transfer a token before `orders stuck` lists the order. */
export const DELIVERY_HOURS = 72

/** An order that needs an operator. */
export interface StuckOrder {
  readonly projectId: number
  readonly orderNo: string
  readonly status: string
  readonly reason: string
  readonly refundDue: boolean
  /** `pending` while it waits for the transfer of its token. */
  readonly delivery: string
  readonly ageMinutes: number
  readonly chainId: string
  readonly seller: string
  readonly buyer: string
  readonly payAmount: string
  readonly payTokenAddress: string
  readonly payments: readonly StuckPayment[]
  /** What the operator can do. */
  readonly action: string
}

type Row = Omit<StuckOrder, 'status' | 'action'> & { readonly status: number }

/** Condition: payment `p` of order `o` counts for another order of the project. */
const countsForAnother = sql`exists (
  select from gateway.consumed_payments c
  where c.project_id = o.project_id and c.chain_id = o.chain_id and c.hash = p.hash and c.order_id <> o.id)`

/**
 * Lists the orders of all projects that need an operator: UNRESOLVED ones, those paid too much, those
 * unfinished for `minutes`, those that the seller has not delivered for `deliveryHours`, and those that ended
 * unpaid although a transaction was reported that may concern them. Orders with money at stake come first,
 * then the oldest.
 */
export async function listStuckOrders(
  db: Db,
  minutes: number,
  deliveryHours = DELIVERY_HOURS,
): Promise<StuckOrder[]> {
  const { SUCCESS, FAILED, UNRESOLVED, IN_PROGRESS, PRE } = OrderStatus
  const { rows } = await sql<Row>`
    select o.project_id as "projectId", o.order_no as "orderNo", o.status, o.reason, o.refund_due as "refundDue", o.delivery,
      floor(extract(epoch from clock_timestamp() - o.created_at) / 60)::int as "ageMinutes",
      o.chain_id as "chainId", o.sender as seller, o.recipient as buyer, o.pay_amount::text as "payAmount",
      o.pay_token_address as "payTokenAddress",
      coalesce((
        select json_agg(json_build_object(
            'hash', p.hash, 'outcome', case when ${countsForAnother} then 'payment_used' else p.outcome end,
            'paid', p.paid_amount::text,
            'refundDue', (case when p.refund = 'due' then p.refund_amount - p.refunded_amount else 0 end)::text
          ) order by p.reported_at)
        from gateway.order_payments p where p.project_id = o.project_id and p.order_id = o.id
      ), '[]') as payments
    from gateway.orders o
    left join lateral (
      select count(*) > 0 as reported, coalesce(bool_or(p.outcome <> ''), false) as final
      from gateway.order_payments p
      where o.status = any(${ENDED}::smallint[]) and p.project_id = o.project_id and p.order_id = o.id
        and p.outcome <> all(${HARMLESS_OUTCOMES}::text[])
    ) claims on true
    where o.status = ${UNRESOLVED} or o.refund_due or claims.reported
      or (o.delivery = 'pending' and o.phase_id is null and o.status in (${SUCCESS}, ${FAILED})
        and o.created_at < clock_timestamp() - make_interval(hours => ${deliveryHours}))
      or (o.status = ${IN_PROGRESS} and o.created_at < clock_timestamp() - make_interval(mins => ${minutes}))
      or (o.status = ${PRE} and o.expires_at < clock_timestamp() - make_interval(mins => ${minutes}))
    order by not (o.status = ${UNRESOLVED} or o.refund_due or claims.final), claims.reported, o.created_at, o.id
    limit 1000`.execute(db)
  return rows.map((row) => ({
    ...row,
    status: names[row.status] ?? String(row.status),
    action: actionFor(row),
  }))
}

/**
 * Statuses in which an order waits for the transfer of its token: paid, or closed after a reorganization took
 * the payment back.
 */
export const DELIVERABLE: readonly number[] = [OrderStatus.SUCCESS, OrderStatus.FAILED]

const DELIVERY_ACTION =
  'The seller has not transferred the token to the buyer. Once it was handed over in another way, or the buyer has the money back, "orders delivered" ends the wait and releases what is reserved for it.'

const RESOLVE_SUCCESS = '"orders resolve --as success" delivers'
const RESOLVE_FAILED = '"orders resolve --as failed" closes it'

const UNRESOLVED_ACTIONS: Readonly<Record<string, string>> = {
  not_enough: `The buyer paid too little, another token or another wallet. Once the rest has arrived ${RESOLVE_SUCCESS}; once the buyer has the money back ${RESOLVE_FAILED} and releases the stock.`,
  not_a_plain_transfer: `The node offers no traces, so the payment cannot be read. Find the transaction in an explorer: if it paid the seller ${RESOLVE_SUCCESS}, otherwise ${RESOLVE_FAILED} and releases the stock.`,
  mined_before_order: `The buyer paid before the order was placed. If that payment is meant for this order ${RESOLVE_SUCCESS}, otherwise ${RESOLVE_FAILED} and releases the stock.`,
  no_stock: `Paid when nothing was left. Have the seller pay the buyer back, then ${RESOLVE_FAILED}; with new stock ${RESOLVE_SUCCESS}.`,
  reorganized: `A reorganization took the payment back after delivery. If the buyer pays again "orders resolve --as success --hash <transaction>", otherwise ${RESOLVE_FAILED}.`,
}

/** Statuses of an order that ended unpaid. */
export const ENDED: readonly number[] = [OrderStatus.FAILED, OrderStatus.CANCELLED, OrderStatus.EXPIRED]

const REFUND_ACTION = `The project declined the payment and owes the buyer the refundDue of each one. It records its transfer. Once the buyer has the money back in another way, ${RESOLVE_FAILED}.`

const USED_ACTION = `The payment counts for another order of the buyer, so that nothing is to be paid back: ${RESOLVE_FAILED} and releases the stock.`

function actionFor({ status, reason, refundDue, delivery, payments }: Row): string {
  const waitsForTransfer = delivery === 'pending' && !refundDue
  if (waitsForTransfer && DELIVERABLE.includes(status)) return DELIVERY_ACTION
  if (refundDue && ENDED.includes(status)) return REFUND_ACTION
  const isUsed = payments.length > 0 && payments.every(({ outcome }) => outcome === 'payment_used')
  if (status === OrderStatus.UNRESOLVED && isUsed) return USED_ACTION
  switch (status) {
    case OrderStatus.PRE:
      return 'It is overdue and no server has expired it: check that a gateway runs. "orders resolve --as failed" releases its stock by hand.'
    case OrderStatus.IN_PROGRESS:
      return `The chain has not decided its payment: check that the nodes in CHAINS respond and do not lag behind, and find the transactions in an explorer. If one paid "orders resolve --as success --hash <transaction>" delivers, otherwise ${RESOLVE_FAILED} and releases the stock.`
    case OrderStatus.SUCCESS:
      return 'Paid too much: have the seller pay back the refundDue of each payment, then "orders refunded --payment <transaction> --hash <transaction of the refund>".'
    case OrderStatus.UNRESOLVED:
      return (
        UNRESOLVED_ACTIONS[reason] ??
        `Find its transactions in an explorer. If one paid ${RESOLVE_SUCCESS}, otherwise ${RESOLVE_FAILED}.`
      )
    default:
      return actionForEnded(payments.map(({ outcome }) => outcome))
  }
}

/** What to do with an order that ended unpaid, and whose stock is released. */
function actionForEnded(outcomes: readonly string[]): string {
  const final = outcomes.filter((outcome) => outcome !== '' && !HARMLESS_OUTCOMES.includes(outcome))
  const closes = `If nothing is owed ${RESOLVE_FAILED}.`
  if (final.length === 0) {
    return `Ended before a reported transaction was mined, and its stock is released. If an explorer shows that one paid it, "orders resolve --as success --hash <transaction>" reserves again and delivers. ${closes}`
  }
  return `Ended unpaid, but a transaction concerns it (${final.join(', ')}). If the buyer paid for it, "orders resolve --as success" with --hash <transaction> or --payment none reserves again and delivers, or the seller pays back. ${closes}`
}
