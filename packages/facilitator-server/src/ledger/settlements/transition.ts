import { type Kysely, sql, type Transaction } from 'kysely'
import { type Enqueue, type EventType, type NewEvent, recordEvents } from '../../events/record-event.ts'
import type { HoldState, SettlementState, Tables } from '../../tables.ts'
import type { Move, Transition } from './rules.ts'
import { type Settlement, toEventData, toSettlementSubject } from './settlement.ts'

/** A transition of one settlement, and the values that its row must still have. */
export interface GuardedTransition {
  readonly id: number
  /** The owner of the row. */
  readonly attempt: string
  readonly from: SettlementState
  readonly hold: HoldState
  readonly transition: Transition
  /** The call that receives the success with this commit, if a call waits for it. */
  readonly deliverTo?: string
  /** Milliseconds until a reconciler checks the settlement. Null if nothing is left to find out. */
  readonly lease: number | null
}

const HOLD_AFTER: Readonly<Record<Move, HoldState>> = {
  capture: 'captured',
  release: 'released',
  refund: 'refunded',
}

const LEDGER_ACCOUNTS: Readonly<Record<Move, { debit: string; credit: string }>> = {
  capture: { debit: 'held', credit: 'revenue' },
  release: { debit: 'held', credit: 'available' },
  refund: { debit: 'revenue', credit: 'available' },
}

/**
 * Applies transitions with their charges, ledger transfers and events, in the caller's transaction. A row that no longer matches its guard
 * stays unchanged. Returns the rows that changed, as they are now.
 */
export async function applyTransitions(
  trx: Transaction<Tables>,
  transitions: readonly GuardedTransition[],
  enqueue?: Enqueue,
): Promise<Settlement[]> {
  if (transitions.length === 0) return []
  const { rows: changed } = await sql<Settlement>`
    select * from facilitator.apply_transitions(${JSON.stringify(transitions.map(toTransitionItem))}::jsonb)`.execute(
    trx,
  )
  const byId = new Map(transitions.map((one) => [one.id, one]))
  const credited = changed.filter(({ id }) => isCredit(byId.get(id)?.transition.move))
  await returnPrices(trx, credited)
  await recordEvents(
    trx,
    changed.flatMap((settlement) =>
      toEvents(settlement, byId.get(settlement.id)?.transition.reconciled ?? false),
    ),
    enqueue,
  )
  return changed
}

const isCredit = (move: Move | undefined): boolean => move === 'release' || move === 'refund'

/** Returns prices to the accounts and to the quotas of the holds, even if a quota has ended since. */
async function returnPrices(trx: Kysely<Tables>, settlements: readonly Settlement[]): Promise<void> {
  if (settlements.length === 0) return
  const rows = JSON.stringify(
    settlements.map(({ account_id, quota_id, price }) => ({ account_id, quota_id, price })),
  )
  // Every transaction takes these locks in this order: accounts before quotas, each by id.
  await trx
    .selectFrom('facilitator.accounts')
    .select('id')
    .where('id', 'in', [...new Set(settlements.map(({ account_id }) => account_id))])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  await sql`
    update facilitator.accounts a set available = a.available + r.total from (
      select account_id, sum(price) as total
      from jsonb_to_recordset(${rows}::jsonb) as item (account_id bigint, price numeric) group by account_id
    ) r where a.id = r.account_id`.execute(trx)
  await trx
    .selectFrom('facilitator.payer_quotas')
    .select('id')
    .where('id', 'in', [...new Set(settlements.map(({ quota_id }) => quota_id))])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  await sql`
    update facilitator.payer_quotas q set used = q.used - r.total from (
      select quota_id, sum(price) as total
      from jsonb_to_recordset(${rows}::jsonb) as item (quota_id bigint, price numeric) group by quota_id
    ) r where q.id = r.quota_id`.execute(trx)
}

function toEvents(settlement: Settlement, reconciled: boolean): NewEvent[] {
  const types: Record<SettlementState, EventType[]> = {
    sent: [],
    settled: ['settlement.settled'],
    failed: ['settlement.failed'],
    unknown: ['settlement.unknown'],
    // The caller knows from the response, and the payment can still be settled.
    not_sent: [],
  }
  const ended = reconciled && settlement.state !== 'unknown'
  return [...types[settlement.state], ...(ended ? (['settlement.reconciled'] as const) : [])].map((type) => ({
    subject: toSettlementSubject(settlement.id),
    type,
    account: settlement.account_id,
    data: toEventData(settlement),
  }))
}

function toTransitionItem({ id, attempt, from, hold, transition, deliverTo, lease }: GuardedTransition) {
  const { to, move, block } = transition
  return {
    id,
    attempt,
    from_state: from,
    from_hold: hold,
    state: to,
    hold: move ? HOLD_AFTER[move] : hold,
    move: move ?? null,
    ...(move && LEDGER_ACCOUNTS[move]),
    cause: transition.cause ?? null,
    transaction: transition.transaction ?? null,
    reason: transition.reason ?? null,
    message: transition.message ?? null,
    upstream_status: transition.upstreamStatus ?? null,
    upstream_responded: transition.upstreamResponded ?? false,
    block_number: block?.number.toString() ?? null,
    block_hash: block?.hash ?? null,
    final: block?.final ?? false,
    reconciled: transition.reconciled ?? false,
    deliver_to: deliverTo ?? null,
    lease_seconds: lease === null ? null : lease / 1000,
  }
}
