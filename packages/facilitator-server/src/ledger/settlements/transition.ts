import { type Kysely, sql, type Transaction } from 'kysely'
import { type Enqueue, type EventType, type NewEvent, recordEvents } from '../../events/record-event.ts'
import type { HoldState, SettlementState, Tables } from '../../tables.ts'
import type { Move, Transition } from './rules.ts'
import { type Settlement, settlementData, settlementSubject } from './settlement.ts'

/** A transition of one settlement, and what the row must still be for it to happen. */
export interface GuardedTransition {
  readonly id: number
  /** Whose the row is. */
  readonly attempt: string
  readonly from: SettlementState
  readonly hold: HoldState
  readonly transition: Transition
  /** The call that a success is delivered to with this commit, where one waits for it. */
  readonly deliverTo?: string
  /** Milliseconds until a reconciler looks at it; null when nothing is left to be found out. */
  readonly lease: number | null
}

const holdAfter: Readonly<Record<Move, HoldState>> = {
  capture: 'captured',
  release: 'released',
  refund: 'refunded',
}

const transferOf: Readonly<Record<Move, { debit: string; credit: string }>> = {
  capture: { debit: 'held', credit: 'revenue' },
  release: { debit: 'held', credit: 'available' },
  refund: { debit: 'revenue', credit: 'available' },
}

/**
 * Makes transitions with their charges, ledger transfers and events, in the caller's transaction. Answers the rows that
 * moved, as they are now; one that is no longer what its guard says stays untouched.
 */
export async function applyTransitions(
  trx: Transaction<Tables>,
  wanted: readonly GuardedTransition[],
  enqueue?: Enqueue,
): Promise<Settlement[]> {
  if (wanted.length === 0) return []
  const { rows: moved } = await sql<Settlement>`
    select * from facilitator.apply_transitions(${JSON.stringify(wanted.map(wantedRow))}::jsonb)`.execute(trx)
  const byId = new Map(wanted.map((one) => [one.id, one]))
  const returned = moved.filter(({ id }) => creditsThePayer(byId.get(id)?.transition.move))
  await giveBack(trx, returned)
  await recordEvents(
    trx,
    moved.flatMap((settlement) =>
      eventsOf(settlement, byId.get(settlement.id)?.transition.reconciled ?? false),
    ),
    enqueue,
  )
  return moved
}

const creditsThePayer = (move: Move | undefined): boolean => move === 'release' || move === 'refund'

/** Prices go back to where they came from: the account, and the quota that the hold names, though it may have ended. */
async function giveBack(trx: Kysely<Tables>, settlements: readonly Settlement[]): Promise<void> {
  if (settlements.length === 0) return
  const rows = JSON.stringify(
    settlements.map(({ account_id, quota_id, price }) => ({ account_id, quota_id, price })),
  )
  // Accounts before quotas, each in the order of their ids: as everybody takes these locks.
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

function eventsOf(settlement: Settlement, reconciled: boolean): NewEvent[] {
  const types: Record<SettlementState, EventType[]> = {
    sent: [],
    settled: ['settlement.settled'],
    failed: ['settlement.failed'],
    unknown: ['settlement.unknown'],
    // The caller knows from the answer, and the payment may still be settled.
    not_sent: [],
  }
  const ended = reconciled && settlement.state !== 'unknown'
  return [...types[settlement.state], ...(ended ? (['settlement.reconciled'] as const) : [])].map((type) => ({
    subject: settlementSubject(settlement.id),
    type,
    account: settlement.account_id,
    data: settlementData(settlement),
  }))
}

function wantedRow({ id, attempt, from, hold, transition, deliverTo, lease }: GuardedTransition) {
  const { to, move, block } = transition
  return {
    id,
    attempt,
    from_state: from,
    from_hold: hold,
    state: to,
    hold: move ? holdAfter[move] : hold,
    move: move ?? null,
    ...(move && transferOf[move]),
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
