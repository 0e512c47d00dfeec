import { OrderStatus } from '@mintmark/orders'
import { ConfigurationError, transaction } from '@mintmark/server-kit'
import { sql } from 'kysely'
import type { Db } from '../../context.ts'
import { advance } from './advance.ts'
import * as store from './orders-store.ts'
import * as payments from './payments-store.ts'

const names = Object.fromEntries(Object.entries(OrderStatus).map(([name, status]) => [status, name]))

/** An order that does not get on by itself, as operators see it. */
export interface StuckOrder {
  readonly projectId: number
  readonly orderNo: string
  readonly status: string
  readonly reason: string
  readonly refundDue: boolean
  readonly ageMinutes: number
  readonly chainId: string
  readonly seller: string
  readonly buyer: string
  readonly payAmount: string
  readonly payTokenAddress: string
  /** What was reported for it, with what the chain says: '' while it says nothing final. */
  readonly payments: readonly { readonly hash: string; readonly verdict: string }[]
}

/** The orders of all projects that need a person, and those that are unfinished for so long; the oldest first. */
export async function stuckOrders(db: Db, minutes: number): Promise<StuckOrder[]> {
  const { rows } = await sql<Omit<StuckOrder, 'status'> & { status: number }>`
    select o.project_id as "projectId", o.order_no as "orderNo", o.status, o.reason, o.refund_due as "refundDue",
      floor(extract(epoch from clock_timestamp() - o.created_at) / 60)::int as "ageMinutes",
      o.chain_id as "chainId", o.sender as seller, o.recipient as buyer, o.pay_amount::text as "payAmount",
      o.pay_token_address as "payTokenAddress",
      coalesce((
        select json_agg(json_build_object('hash', p.hash, 'verdict', p.verdict) order by p.reported_at)
        from gateway.order_payments p where p.project_id = o.project_id and p.order_id = o.id
      ), '[]') as payments
    from gateway.orders o
    where o.status = ${OrderStatus.UNRESOLVED} or o.refund_due
      or (o.status = ${OrderStatus.IN_PROGRESS} and o.created_at < clock_timestamp() - make_interval(mins => ${minutes}))
      or (o.status = ${OrderStatus.PRE} and o.expires_at < clock_timestamp() - make_interval(mins => ${minutes}))
    order by o.created_at, o.id
    limit 1000`.execute(db)
  return rows.map((row) => ({ ...row, status: names[row.status] ?? String(row.status) }))
}

export interface Resolution {
  readonly orderNo: string
  readonly event: 'resolved_success' | 'resolved_failed'
  readonly actor: string
  readonly reason: string
  /** The transaction that counts as its payment; the newest one reported unless told. */
  readonly hash?: string | undefined
  /** Needed where two projects have an order of this number. */
  readonly project?: number | undefined
}

/** Decides an UNRESOLVED order; the decision is appended to its events. Answers how it stands then. */
export async function resolveOrder(
  db: Db,
  { orderNo, event, actor, reason, hash, project }: Resolution,
): Promise<{ projectId: number; orderNo: string; status: string; hash: string }> {
  return await transaction(db, async (trx) => {
    let found = trx.selectFrom('gateway.orders').select(['project_id', 'id']).where('order_no', '=', orderNo)
    if (project !== undefined) found = found.where('project_id', '=', project)
    const [row, other] = await found.execute()
    if (row === undefined) throw new ConfigurationError(`There is no order ${orderNo}`)
    if (other !== undefined)
      throw new ConfigurationError(`Several projects have an order ${orderNo}: tell --project`)
    const order = await store.lockById(trx, row.project_id, row.id)
    if (order?.status !== OrderStatus.UNRESOLVED) {
      const status = order && (names[order.status] ?? order.status)
      throw new ConfigurationError(`The order is ${status}: only an UNRESOLVED one is decided`)
    }
    const done = await advance(trx, order, event, { actor, reason, hash: hash ?? order.hash })
    if (done === undefined || 'blocked' in done) {
      throw new ConfigurationError(
        done?.blocked === 'payment_used'
          ? 'Its payment counts for another order: tell the --hash that paid this one'
          : 'What it bought is no longer to be had: decide it as failed, and pay back what was paid',
      )
    }
    // What paid for an order that is not to be goes back: it neither revives the order nor counts for another.
    if (event === 'resolved_failed') {
      for (const { hash, mined_block, verdict } of await payments.ofOrder(trx, order)) {
        if (verdict !== 'paid') continue
        await payments.consume(trx, order, hash)
        const shown = { minedBlock: mined_block, seen: false, verdict: 'refunded' }
        await payments.keepSighting(trx, order.project_id, hash, shown)
      }
    }
    await store.lookAgain(trx, order, 0)
    return {
      projectId: order.project_id,
      orderNo,
      status: names[done.order.status] ?? String(done.order.status),
      hash: done.order.hash,
    }
  })
}
