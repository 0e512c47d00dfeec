import { type Kysely, sql } from 'kysely'
import { type Enqueue, toEnqueueParameter } from '../../events/record-event.ts'
import type { HoldState, SettlementState, Tables } from '../../tables.ts'
import type { Move, Transition } from './rules.ts'
import type { Settlement } from './settlement.ts'

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

/** What a response needs of a settlement that has changed. */
export type ChangedSettlement = Pick<Settlement, (typeof CHANGED_COLUMNS)[number]>

/** A row has over forty columns, whose parsing would cost more than the rest of a settle in this process. */
const CHANGED_COLUMNS = [
  'id',
  'state',
  'hold',
  'order_no',
  'payer',
  'amount',
  'transaction',
  'upstream_status',
  'reason',
  'message',
] as const

const changedColumns = sql.join(CHANGED_COLUMNS.map((column) => sql.ref(column)))

/**
 * Applies transitions with their charges, ledger transfers, returned prices and events, in one statement. A row that no longer matches its
 * guard stays unchanged. Returns the rows that changed, as they are now.
 */
export async function applyTransitions(
  db: Kysely<Tables>,
  transitions: readonly GuardedTransition[],
  enqueue?: Enqueue,
): Promise<ChangedSettlement[]> {
  if (transitions.length === 0) return []
  const items = JSON.stringify(transitions.map(toTransitionItem))
  const { rows } = await sql<ChangedSettlement>`
    select ${changedColumns} from facilitator.apply_transitions(${items}::jsonb, ${toEnqueueParameter(enqueue)}::jsonb)`.execute(
    db,
  )
  return rows
}

/** Whether the transition returns the price to its account, whose row it locks. */
export const isCredit = ({ move }: Transition): boolean => move === 'release' || move === 'refund'

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
