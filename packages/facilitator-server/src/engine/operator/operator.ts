import { transaction } from '@mintmark/server-kit'
import { type Kysely, type Selectable, sql } from 'kysely'
import type {
  ChargesTable,
  LedgerTransfersTable,
  SettlementResolutionsTable,
  SettlementState,
  Tables,
} from '../../database/tables.ts'
import type { Enqueue } from '../../events/record-event.ts'
import type { Operator } from '../../ledger/accounts/accounts.ts'
import { type ChargeOn, evaluateFailure, type Transition } from '../../ledger/settlements/rules.ts'
import {
  findById,
  lockById,
  type Settlement,
  toSettlementSubject,
} from '../../ledger/settlements/settlement.ts'
import { applyTransitions } from '../../ledger/settlements/transition.ts'
import type { ChainReader } from '../../payment/payment.ts'
import { reasons } from '../../payment/reasons.ts'

/** A settlement with its charge, transfers, events and resolutions. */
export interface SettlementHistory {
  readonly settlement: Settlement
  readonly charge?: Selectable<ChargesTable>
  readonly transfers: readonly Selectable<LedgerTransfersTable>[]
  readonly events: readonly { type: string; sequence: number; occurred_at: Date }[]
  readonly resolutions: readonly Selectable<SettlementResolutionsTable>[]
}

/** Reads a settlement's history by its id or its order number. */
export async function readSettlementHistory(
  db: Kysely<Tables>,
  which: { id: number } | { orderNo: string },
): Promise<SettlementHistory | undefined> {
  const settlement =
    'id' in which
      ? await findById(db, which.id)
      : await db
          .selectFrom('facilitator.settlements')
          .selectAll()
          .where('order_no', '=', which.orderNo)
          .executeTakeFirst()
  if (settlement === undefined) return undefined
  const { id } = settlement
  const charge = await db
    .selectFrom('facilitator.charges')
    .selectAll()
    .where('settlement_id', '=', id)
    .executeTakeFirst()
  return {
    settlement,
    ...(charge && { charge }),
    transfers: await db
      .selectFrom('facilitator.ledger_transfers')
      .selectAll()
      .where('settlement_id', '=', id)
      .orderBy('id')
      .execute(),
    events: await db
      .selectFrom('facilitator.events')
      .select(['type', 'sequence', 'occurred_at'])
      .where('subject', '=', toSettlementSubject(id))
      .orderBy('sequence')
      .execute(),
    resolutions: await db
      .selectFrom('facilitator.settlement_resolutions')
      .selectAll()
      .where('settlement_id', '=', id)
      .orderBy('id')
      .execute(),
  }
}

/** An operator's decision about a payment that the chain reader cannot see. */
export type Resolution = { readonly id: number } & Operator &
  ({ readonly outcome: 'settled'; readonly transaction: string } | { readonly outcome: 'failed' })

export type ResolveResult =
  | { readonly kind: 'resolved'; readonly settlement: Settlement }
  | { readonly kind: 'not-found' }
  /**
   * Only unknown settlements can be resolved. A `sent` one whose call has died becomes unknown by
   * reconciliation.
   */
  | { readonly kind: 'not-unknown'; readonly state: SettlementState }
  /** The chain can be read, so it decides, unless the operator uses `force`. */
  | { readonly kind: 'readable'; readonly network: string }

export interface ResolveOptions {
  readonly chargeOn: ChargeOn
  readonly chainReader?: Pick<ChainReader, 'readable'>
  /** Also resolves settlements on networks that can be read. */
  readonly force?: boolean
  readonly enqueue?: Enqueue
}

/**
 * Ends an unknown settlement by an operator's decision, on networks that cannot be read and, with `force`, on
 * others. Stores the decision with actor and reason, and captures or releases the price.
 */
export async function resolveSettlement(
  db: Kysely<Tables>,
  resolution: Resolution,
  { chargeOn, chainReader, force = false, enqueue }: ResolveOptions,
): Promise<ResolveResult> {
  const { id, outcome, actor, reason } = resolution
  const hash = resolution.outcome === 'settled' ? resolution.transaction : undefined
  return transaction(db, async (trx): Promise<ResolveResult> => {
    const settlement = await lockById(trx, id)
    if (settlement === undefined) return { kind: 'not-found' }
    const { state, network, attempt, hold } = settlement
    if (state !== 'unknown') return { kind: 'not-unknown', state }
    if (!force && chainReader?.readable(network)) return { kind: 'readable', network }
    await trx
      .insertInto('facilitator.settlement_resolutions')
      .values({ settlement_id: id, outcome, transaction: hash ?? null, actor, reason })
      .execute()
    const transition = evaluateResolution(settlement, hash, chargeOn)
    const guarded = { id, attempt, from: state, hold, transition, lease: null }
    const changed = await applyTransitions(trx, [guarded], enqueue)
    const resolved = changed.length > 0 ? await findById(trx, id) : undefined
    if (resolved === undefined) throw new Error(`Settlement ${id} changed while it was locked`)
    return { kind: 'resolved', settlement: resolved }
  })
}

function evaluateResolution(
  settlement: Settlement,
  hash: string | undefined,
  chargeOn: ChargeOn,
): Transition {
  if (hash === undefined) return evaluateFailure(settlement, { reason: 'resolved_by_operator' }, chargeOn)
  const charge = settlement.hold === 'held' && ({ move: 'capture', cause: 'operator' } as const)
  return { to: 'settled', transaction: hash, reconciled: true, ...charge }
}

/** A payment that one of our signers made, read from the chain. */
export interface ChainPayment {
  readonly network: string
  /** The contract whose nonce was used. */
  readonly domain: string
  readonly payer: string
  readonly nonce: string
  readonly transaction: string
}

export interface AuditProblem {
  readonly payment: ChainPayment
  readonly problem: 'no settlement' | 'not settled' | 'not charged' | 'another transaction'
  readonly settlementId?: number
}

/**
 * Compares payments on a chain with the settlements. After a database was restored, payments since the backup
 * have no settlement. The payments may be streamed.
 */
export async function auditSettlements(
  db: Kysely<Tables>,
  payments: AsyncIterable<ChainPayment> | Iterable<ChainPayment>,
): Promise<{ checked: number; problems: AuditProblem[] }> {
  const problems: AuditProblem[] = []
  let checked = 0
  for await (const payment of payments) {
    checked += 1
    const { rows } = await sql<{
      id: number
      state: SettlementState
      transaction: string | null
      charged: boolean
      is_mismatch: boolean
    }>`
      select s.id, s.state, s.transaction, s.state = 'failed' and s.reason = ${reasons.transferMismatch} as is_mismatch, c.settlement_id is not null as charged
      from facilitator.settlements s left join facilitator.charges c on c.settlement_id = s.id
      where s.network = ${payment.network} and s.domain = ${payment.domain.toLowerCase()}
        and s.payer = ${payment.payer.toLowerCase()} and s.nonce = ${payment.nonce.toLowerCase()}`.execute(db)
    const [row] = rows
    const problem =
      row === undefined
        ? 'no settlement'
        : row.state !== 'settled' && !row.is_mismatch
          ? 'not settled'
          : !row.charged && !row.is_mismatch
            ? 'not charged'
            : row.transaction?.toLowerCase() !== payment.transaction.toLowerCase()
              ? 'another transaction'
              : undefined
    if (problem !== undefined) problems.push({ payment, problem, ...(row && { settlementId: row.id }) })
  }
  return { checked, problems }
}
