import { type Kysely, sql } from 'kysely'
import { type ColumnValue, formatComposite } from '../../database/composite.ts'
import type { HoldState, SettlementState, Tables } from '../../database/tables.ts'
import { type Enqueue, toEnqueueParameter } from '../../events/record-event.ts'
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

/** What a response needs of a settlement that has changed: `facilitator.changed_settlement`. */
export type ChangedSettlement = Pick<
  Settlement,
  | 'id'
  | 'state'
  | 'hold'
  | 'order_no'
  | 'payer'
  | 'amount'
  | 'transaction'
  | 'upstream_status'
  | 'reason'
  | 'message'
>

/**
 * Applies transitions with their charges, ledger transfers, returned prices and events, in one statement. A
 * row that no longer matches its guard stays unchanged. Returns the rows that changed, as they are now.
 */
export async function applyTransitions(
  db: Kysely<Tables>,
  transitions: readonly GuardedTransition[],
  enqueue?: Enqueue,
): Promise<ChangedSettlement[]> {
  if (transitions.length === 0) return []
  const items = transitions.map((transition) => formatComposite(ITEM_COLUMNS, toItem(transition)))
  const { rows } = await sql<ChangedSettlement>`
    select * from facilitator.apply_transitions(${items}::facilitator.requested_transition[],
      ${toEnqueueParameter(enqueue)}::jsonb)`.execute(db)
  return rows
}

/** Whether the transition returns the price to its account, whose row it locks. */
export const isCredit = ({ move }: Transition): boolean => move === 'release' || move === 'refund'

/** The columns of `facilitator.requested_transition`, in its order. */
export const ITEM_COLUMNS = [
  'id',
  'attempt',
  'from_state',
  'from_hold',
  'state',
  'hold',
  'move',
  'debit',
  'credit',
  'cause',
  'transaction',
  'reason',
  'message',
  'upstream_status',
  'upstream_responded',
  'block_number',
  'block_hash',
  'final',
  'reconciled',
  'deliver_to',
  'lease_seconds',
] as const

function toItem({
  id,
  attempt,
  from,
  hold,
  transition,
  deliverTo,
  lease,
}: GuardedTransition): Record<(typeof ITEM_COLUMNS)[number], ColumnValue> {
  const { to, move, block } = transition
  const place = block ?? transition.reportedBlock
  return {
    id,
    attempt,
    from_state: from,
    from_hold: hold,
    state: to,
    hold: move ? HOLD_AFTER[move] : hold,
    move: move ?? null,
    debit: move ? LEDGER_ACCOUNTS[move].debit : null,
    credit: move ? LEDGER_ACCOUNTS[move].credit : null,
    cause: transition.cause ?? null,
    transaction: transition.transaction ?? null,
    reason: transition.reason ?? null,
    message: transition.message ?? null,
    upstream_status: transition.upstreamStatus ?? null,
    upstream_responded: transition.upstreamResponded ?? false,
    block_number: place?.number ?? null,
    block_hash: place?.hash ?? null,
    final: block?.final ?? false,
    reconciled: transition.reconciled ?? false,
    deliver_to: deliverTo ?? null,
    lease_seconds: lease === null ? null : lease / 1000,
  }
}
