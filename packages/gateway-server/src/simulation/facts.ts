import type { MinedTransaction } from '@mintmark/devkit/simulation/simulated-chain'
import { sql } from 'kysely'
import { SELLER, TOKEN } from './catalog.ts'
import type { World } from './world.ts'

/** An order as the database has it at the end. */
export interface OrderFact {
  readonly id: number
  readonly project: number
  readonly status: number
  readonly stock: string
  readonly recipient: string
  readonly quantity: number
  readonly owed: string
  readonly token: string
  readonly placed_at_block: number
  readonly tx_id: string
  readonly refund_due: boolean
  readonly reason: string
  /** Whether the verifier still checks it. */
  readonly is_checked: boolean
  /** What happened to it, oldest first. */
  readonly events: readonly {
    readonly event: string
    readonly from_status: number
    readonly to_status: number
  }[]
}

/** A transaction that was reported for an order. */
export interface ClaimFact {
  readonly project: number
  readonly order: number
  readonly hash: string
  readonly outcome: string
  readonly refund: string
  readonly refund_amount: string
}

/** The database and the chain at the end of a simulation. */
export interface Facts {
  readonly orders: readonly OrderFact[]
  readonly claims: readonly ClaimFact[]
  /** Payments that count, with the order that each counts for. */
  readonly consumed: readonly { readonly project: number; readonly hash: string; readonly order: number }[]
  readonly assets: readonly { readonly project: number; readonly owner: string; readonly quantity: string }[]
}

const QUERY = sql<{ facts: Facts }>`
  select json_build_object(
    'orders', (select coalesce(json_agg(o order by o.id), '[]') from (
      select id, project_id as project, status, stock, recipient, quantity, pay_amount::text as owed,
        pay_token_address as token, placed_at_block, tx_id, refund_due, reason,
        exists (select from gateway.order_checks c where c.project_id = o.project_id and c.order_id = o.id) as is_checked,
        array(select json_build_object('event', e.event, 'from_status', e.from_status, 'to_status', e.to_status)
          from gateway.order_events e where e.project_id = o.project_id and e.order_id = o.id order by e.id) as events
      from gateway.orders o) o),
    'claims', (select coalesce(json_agg(c order by c."order", c.hash), '[]') from (
      select project_id as project, order_id as "order", hash, outcome, refund, refund_amount::text
      from gateway.order_payments) c),
    'consumed', (select coalesce(json_agg(c order by c.hash), '[]') from (
      select project_id as project, hash, order_id as "order" from gateway.consumed_payments) c),
    'assets', (select coalesce(json_agg(a order by a.project, a.owner), '[]') from (
      select project_id as project, owner, sum(quantity)::text as quantity from gateway.assets group by 1, 2) a)
    ) as facts`

export async function readFacts({ database }: World): Promise<Facts> {
  const { rows } = await QUERY.execute(database.owner)
  const [row] = rows
  if (row === undefined) throw new Error('The database returned no facts')
  return row.facts
}

/** Finds a transaction of the final chain with the number of its block. */
function findMined({ chain }: World, hash: string): (MinedTransaction & { block: number }) | undefined {
  for (const { number, transactions } of chain.viewBehind(0).blocks) {
    const found = transactions.find(({ transaction }) => transaction.hash === hash)
    if (found !== undefined) return { ...found, block: number }
  }
  return undefined
}

/**
 * Returns what a transaction paid for an order by the final chain: 0 unless it came from the buyer, in time
 * and in the order's token.
 */
export function computePaid(world: World, order: OrderFact, hash: string): bigint {
  const mined = findMined(world, hash)
  if (mined === undefined || !mined.execution.succeeded || mined.block <= order.placed_at_block) return 0n
  const { from, to, value, data } = mined.transaction
  if (from !== order.recipient) return 0n
  if (order.token === '') return to === SELLER ? value : 0n
  // The only other transactions of buyers to the token move its units to another wallet.
  const isToSeller = to === TOKEN && data.includes(SELLER.slice(2))
  return isToSeller ? BigInt(`0x${data.slice(-64)}`) : 0n
}

/** Whether a transaction paid an order. */
export const isPayment = (world: World, order: OrderFact, hash: string): boolean =>
  computePaid(world, order, hash) >= BigInt(order.owed)
