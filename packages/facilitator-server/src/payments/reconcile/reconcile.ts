import { randomUUID } from 'node:crypto'
import { transaction } from '@mintmark/server-kit'
import { sql } from 'kysely'
import type { ChainReader, ChainVerdict } from '../payment.ts'
import type { EngineSettings } from '../engine-options.ts'
import { judgeChain, neverSent, nextCheck } from '../../ledger/settlements/rules.ts'
import type { Settlement } from '../../ledger/settlements/settlement.ts'
import { applyTransitions } from '../../ledger/settlements/transition.ts'

/** What a reconciliation did, in settlements. */
export interface Reconciled {
  settled: number
  failed: number
  /** Taken off the chain by a reorganisation: unknown again. */
  lost: number
  /** Settled ones that were found in a block, or became final there. */
  located: number
  /** Never sent: their price is released, and the payment can be settled again. */
  notSent: number
  /** Still not known. */
  waiting: number
}

export interface Reconciler {
  /**
   * Looks at every settlement that is due: whose call died, whose outcome is unknown, or that is not final yet. Any
   * number of processes may run it at once; each settlement is looked at by one.
   */
  reconcile(): Promise<Reconciled>
  /** Looks at one settlement, if it is due. */
  lookAt(settlementId: number): Promise<void>
}

// A reconciler that died gives its settlements back after this time.
const reconcilerLease = 30_000
const together = 16

export function createReconciler(settings: EngineSettings): Reconciler {
  const { db, chainReader, chargeOn, faultPoint, log } = settings

  async function reconcile(): Promise<Reconciled> {
    const total: Reconciled = { settled: 0, failed: 0, lost: 0, located: 0, notSent: 0, waiting: 0 }
    const begun = await now()
    for (;;) {
      const token = randomUUID()
      const claimed = await claim(token, { dueBy: begun })
      // Every one claimed is given a later date, so this ends.
      if (claimed.length === 0) return total
      await faultPoint('reconcile-claimed')
      const results = await Promise.allSettled(claimed.map((settlement) => conclude(settlement)))
      for (const result of results) {
        if (result.status === 'rejected') throw result.reason
        total[result.value] += 1
      }
    }
  }

  async function lookAt(settlementId: number): Promise<void> {
    const [settlement] = await claim(randomUUID(), { only: settlementId })
    if (settlement !== undefined) await conclude(settlement)
  }

  /** The database's clock, to the microsecond: leases are measured by no other. */
  async function now(): Promise<string> {
    const { rows } = await sql<{ now: string }>`select clock_timestamp()::text as now`.execute(db)
    const [row] = rows
    if (row === undefined) throw new Error('the database did not tell the time')
    return row.now
  }

  /** Takes settlements whose lease has ended. Those that were `sent` have lost their call: they are unknown from here. */
  async function claim(token: string, which: { only?: number; dueBy?: string }): Promise<Settlement[]> {
    const { only = null, dueBy = 'infinity' } = which
    return transaction(db, async (trx) => {
      const { rows } = await sql<Settlement>`
        update facilitator.settlements set
          attempt = ${token}, check_count = check_count + 1,
          lease_until = clock_timestamp() + make_interval(secs => ${reconcilerLease / 1000}::float8)
        where id in (
          select id from facilitator.settlements
          where lease_until <= least(clock_timestamp(), ${dueBy}::timestamptz)
            and (${only}::bigint is null or id = ${only}::bigint)
          order by lease_until limit ${together} for no key update skip locked
        )
        returning *`.execute(trx)
      const orphans = await applyTransitions(
        trx,
        rows
          .filter(({ state }) => state === 'sent')
          .map(({ id, attempt, hold }) => ({
            id,
            attempt,
            hold,
            from: 'sent' as const,
            transition: { to: 'unknown' as const, reason: 'interrupted' },
            lease: reconcilerLease,
          })),
        settings.enqueue,
      )
      const byId = new Map(orphans.map((settlement) => [settlement.id, settlement]))
      return rows.map((row) => byId.get(row.id) ?? row)
    })
  }

  async function conclude(settlement: Settlement): Promise<keyof Reconciled> {
    const { id, attempt, state, hold } = settlement
    const verdict = await inspect(settlement)
    await faultPoint('reconcile-inspected')
    const finding = (await wasNeverSent(settlement, verdict))
      ? neverSent
      : judgeChain(settlement, verdict, chargeOn)
    if (finding.kind === 'wait') {
      // An unreadable network's settled payments are settled by the upstream's word; nothing is left to look for.
      const over = state === 'settled' && chainReader?.readable(settlement.network) !== true
      await postpone(settlement, over ? null : nextCheck(settlement.check_count))
      return 'waiting'
    }
    if (finding.kind === 'located') {
      const { block } = finding
      const lease = block.final ? null : nextCheck(settlement.check_count) / 1000
      await sql`
        update facilitator.settlements set
          transaction = ${finding.transaction}, block_number = ${block.number.toString()}, block_hash = ${block.hash},
          final_at = case when ${block.final} then clock_timestamp() end,
          lease_until = clock_timestamp() + make_interval(secs => ${lease}::float8)
        where id = ${id} and attempt = ${attempt} and state = 'settled'`.execute(db)
      return 'located'
    }

    const { transition } = finding
    const final =
      transition.to === 'failed' || transition.to === 'not_sent' || transition.block?.final === true
    const lease = final ? null : transition.to === 'unknown' ? 0 : settings.confirmAfter
    const moved = await transaction(db, (trx) =>
      applyTransitions(trx, [{ id, attempt, from: state, hold, transition, lease }], settings.enqueue),
    )
    await faultPoint('reconcile-ended')
    if (moved.length === 0) return 'waiting'
    if (transition.to === 'not_sent') return 'notSent'
    if (transition.to !== 'unknown') return transition.to
    log.warn(
      { settlementId: id, transaction: settlement.transaction },
      'a settled payment is no longer on its chain',
    )
    await settings.rebroadcast?.(id)
    return 'lost'
  }

  /**
   * Whether the built-in upstream signed nothing for an unknown settlement, whose nonce is unused. The settlement is
   * claimed, so the call that reserved it can no longer sign (see `addSettlement`).
   */
  async function wasNeverSent(settlement: Settlement, verdict: ChainVerdict): Promise<boolean> {
    const { state, hold, upstream, network, asset, payer, nonce } = settlement
    const mayBeUnsent = state === 'unknown' && hold === 'held' && upstream === 'built-in'
    if (!mayBeUnsent || verdict.kind !== 'open' || !verdict.unused) return false
    const signed = await settings.signedTransactions?.({ network, asset, payer, nonce })
    return signed?.length === 0
  }

  async function inspect(settlement: Settlement): Promise<ChainVerdict> {
    if (chainReader?.readable(settlement.network) !== true) return { kind: 'unreadable' }
    try {
      const verdict = await inspectSettlement(chainReader, settlement)
      const missing = settlement.state === 'settled' && verdict.kind !== 'settled'
      if (missing && (await mayBeInItsBlock(chainReader, settlement))) return { kind: 'unreadable' }
      return verdict
    } catch (error) {
      log.error({ err: error, settlementId: settlement.id }, 'the chain could not be read')
      return { kind: 'unreadable' }
    }
  }

  /**
   * A payment found in a block is lost only if the chain has another block at that number. A node that lags has neither
   * the payment nor the block yet.
   */
  async function mayBeInItsBlock(
    reader: Pick<ChainReader, 'blockHash'>,
    { network, block_number: number, block_hash: recorded }: Settlement,
  ): Promise<boolean> {
    if (number === null) return false
    const canonical = await reader.blockHash(network, BigInt(number))
    return canonical === undefined || canonical === recorded
  }

  async function postpone({ id, attempt }: Settlement, milliseconds: number | null): Promise<void> {
    const seconds = milliseconds === null ? null : milliseconds / 1000
    await sql`
      update facilitator.settlements
      set lease_until = clock_timestamp() + make_interval(secs => ${seconds}::float8)
      where id = ${id} and attempt = ${attempt}`.execute(db)
  }

  return { reconcile, lookAt }
}

/** Reads from the chain what became of a settlement's payment. */
export async function inspectSettlement(reader: ChainReader, settlement: Settlement): Promise<ChainVerdict> {
  const { network, asset, payer, pay_to: payTo, nonce, transaction: hint } = settlement
  const amount = BigInt(settlement.amount)
  const validBefore = BigInt(settlement.valid_before)
  const payment = { network, asset, payer, payTo, nonce, amount, validBefore }
  return reader.inspect(payment, hint === null ? {} : { transaction: hint })
}
