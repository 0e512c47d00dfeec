import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { transaction } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { coalesce } from '../../database/batch.ts'
import { isConnectionLost, throughLostConnections } from '../../database/lost-connection.ts'
import type { Payment, UpstreamAnswer } from '../payment.ts'
import type { PaymentApi } from '../../tables.ts'
import { type EngineSettings, servesNetwork } from '../engine-options.ts'
import {
  duplicateOutcome,
  failedOutcome,
  notSentOutcome,
  pendingOutcome,
  refusedForPayer,
  type SettleOutcome,
  settledOutcome,
} from './outcome.ts'
import { createReserve, type PayingAccount } from '../../ledger/settlements/reserve.ts'
import { judgeAnswer, type Transition } from '../../ledger/settlements/rules.ts'
import { claimDelivery, findById, findByPayment, paymentKey, type Settlement } from '../../ledger/settlements/settlement.ts'
import { applyTransitions, type GuardedTransition } from '../../ledger/settlements/transition.ts'

/** The account that requests a settle, and how. */
export interface SettleCall {
  readonly account: PayingAccount
  readonly api: PaymentApi
  /** Lets the first call ask for its answer again. */
  readonly idempotencyKey?: string
}

export type Settle = (payment: Payment, call: SettleCall) => Promise<SettleOutcome>

/**
 * The way of one settle: find it standing, verify, hold the price, ask the upstream, end it. The hold and the end are a
 * commit each; between them no transaction is open, and if the process dies there, a reconciler finds out what happened.
 *
 * `lookAgain` asks the chain about one settlement whose lease has ended; for others it does nothing.
 */
export function createSettle(
  settings: EngineSettings,
  lookAgain: (settlementId: number) => Promise<void>,
): Settle {
  const { db, upstream, verifier, chargeOn, faultPoint, log, patience } = settings
  const reserve = createReserve(db, {
    price: settings.price,
    upstream: settings.signedTransactions === undefined ? 'remote' : 'built-in',
    leaseMilliseconds: settings.lease,
    patience,
    lowBalance: settings.lowBalance,
    revertLimits: settings.revertLimits,
    inTransaction: faultPoint,
    ...(settings.enqueue && { enqueue: settings.enqueue }),
  })
  const end = coalesce(endTogether, { most: 250 })

  return async (payment, call) => {
    if (!servesNetwork(settings, payment.network)) {
      return { kind: 'refused', reason: 'invalid_network', message: `${payment.network} is not served here` }
    }
    const attempt = randomUUID()
    // Verification runs while the database is read. Its result does not matter for a payment that is being settled: a used
    // nonce is what a settle leaves behind.
    const judged = verifier?.verify(payment)
    judged?.catch(() => {})
    const standing = await findByPayment(db, paymentKey(payment))
    if (standing !== undefined) {
      const outcome = await answerStanding(standing, payment, call, attempt)
      if (outcome.kind !== 'not-sent') return outcome
    }

    const verdict = await judged
    if (verdict?.isValid === false) {
      const { invalidReason: reason, invalidMessage: message, payer } = verdict
      return { kind: 'refused', reason, ...(message && { message }), ...(payer && { payer }) }
    }

    await faultPoint('before-hold')
    const asked = performance.now()
    const reservation = await reserve({ payment, attempt, funds: verdict?.funds, ...call })
    if (reservation.kind === 'refused') return refusedForPayer(payment, reservation.cause)
    if (reservation.kind === 'short') return { kind: 'insufficient', shortage: reservation.shortage }
    const id = reservation.settlementId
    if (reservation.kind === 'standing') return answerById(id, payment, call, attempt)
    await faultPoint('after-hold-commit')

    // The lease began after we asked for it. Should too little of it be left for the upstream, it is renewed.
    const left = settings.lease - (performance.now() - asked)
    if (left <= settings.upstreamTimeout && !(await renewLease(id, attempt))) {
      return answerById(id, payment, call, attempt)
    }
    const answer = await askUpstream(payment, id, attempt)
    await faultPoint('after-upstream')
    return finish(id, attempt, judgeAnswer(answer, chargeOn), payment, call)
  }

  /**
   * The answer for a payment that has a settlement already. Nothing is held for it and no upstream is called; `not-sent`
   * means that the caller may reserve it again.
   */
  async function answerStanding(
    settlement: Settlement,
    payment: Payment,
    call: SettleCall,
    attempt: string,
    looked = false,
  ): Promise<SettleOutcome> {
    if (settlement.account_id !== call.account.id) {
      return { kind: 'conflict', message: 'this authorization was already presented by another account' }
    }
    if (settlement.fingerprint !== payment.fingerprint) {
      return { kind: 'conflict', message: 'this authorization was already presented with other terms' }
    }
    if (settlement.state === 'failed') return failedOutcome(settlement)
    if (settlement.state === 'not_sent') return notSentOutcome(settlement)
    if (settlement.state === 'settled') {
      const isFirstCaller =
        call.idempotencyKey !== undefined && settlement.idempotency_key === call.idempotencyKey
      const delivered = await throughLostConnections(
        () => claimDelivery(db, settlement.id, attempt),
        patience,
      )
      if (delivered) return settledOutcome(settlement, payment, false)
      return isFirstCaller ? settledOutcome(settlement, payment, true) : duplicateOutcome(settlement)
    }
    if (!looked) {
      await lookAgain(settlement.id)
      return answerById(settlement.id, payment, call, attempt, true)
    }
    return settlement.state === 'sent'
      ? { kind: 'in-flight', payer: settlement.payer }
      : pendingOutcome(settlement)
  }

  async function answerById(
    id: number,
    payment: Payment,
    call: SettleCall,
    attempt: string,
    looked = false,
  ): Promise<SettleOutcome> {
    const settlement = await throughLostConnections(() => findById(db, id), patience)
    if (settlement === undefined) throw new Error(`settlement ${id} is gone`)
    return answerStanding(settlement, payment, call, attempt, looked)
  }

  async function renewLease(id: number, attempt: string): Promise<boolean> {
    const { rows } = await throughLostConnections(
      () =>
        sql`
        update facilitator.settlements
        set lease_until = clock_timestamp() + make_interval(secs => ${settings.lease / 1000}::float8)
        where id = ${id} and attempt = ${attempt} and state = 'sent' returning id`.execute(db),
      patience,
    )
    return rows.length === 1
  }

  /** The upstream's answer, or `lost` where none came in time: whatever goes wrong here, it may have been executed. */
  async function askUpstream(payment: Payment, id: number, attempt: string): Promise<UpstreamAnswer> {
    const signal = AbortSignal.timeout(settings.upstreamTimeout)
    const done = new AbortController()
    const ask = async () => upstream.settle(payment, { settlementId: String(id), attempt, signal })
    const answer = ask().catch((error: unknown) => {
      log.error({ err: error, settlementId: id }, 'the upstream threw')
      return { kind: 'lost', why: 'reset', message: 'the upstream could not be asked' } as const
    })
    // An upstream that does not mind the signal is not waited for.
    const late = pause(settings.upstreamTimeout + 250, undefined, { signal: done.signal }).then(
      () => ({ kind: 'lost', why: 'timeout', message: 'the upstream did not answer in time' }) as const,
      () => answer,
    )
    try {
      return await Promise.race([answer, late])
    } finally {
      done.abort()
    }
  }

  async function finish(
    id: number,
    attempt: string,
    transition: Transition,
    payment: Payment,
    call: SettleCall,
  ): Promise<SettleOutcome> {
    const readable = settings.chainReader?.readable(payment.network) === true
    const lease =
      transition.to === 'unknown'
        ? 1000
        : transition.to === 'settled' && readable
          ? settings.confirmAfter
          : null
    let moved: Settlement | undefined
    try {
      moved = await end({
        id,
        attempt,
        from: 'sent',
        hold: 'held',
        transition,
        lease,
        ...(transition.to === 'settled' && { deliverTo: attempt }),
      })
    } catch (error) {
      if (!isConnectionLost(error)) throw error
      // The row is still `sent`, or ended without our knowing: reconciliation or the next call will tell.
      log.error({ err: error, settlementId: id }, 'the database was lost before a settlement could be ended')
      return unrecorded(id, transition, payment)
    }
    await faultPoint('after-ending-commit')
    // Somebody else has it: a reconciler, after our lease; or we ourselves, in a commit whose answer was lost.
    if (moved === undefined) return answerById(id, payment, call, attempt)
    if (moved.state === 'settled') return settledOutcome(moved, payment, false)
    if (moved.state === 'not_sent') return notSentOutcome(moved)
    return moved.state === 'failed' ? failedOutcome(moved) : pendingOutcome(moved)
  }

  function unrecorded(id: number, transition: Transition, payment: Payment): SettleOutcome {
    const { transaction: hash } = transition
    return {
      kind: 'pending',
      ...(hash && { transaction: hash }),
      payer: payment.payer,
      retryAfter: 5,
      settlementId: id,
    }
  }

  async function endTogether(wanted: GuardedTransition[]): Promise<(Settlement | undefined)[]> {
    const moved = await throughLostConnections(
      () =>
        transaction(db, async (trx) => {
          const rows = await applyTransitions(trx, wanted, settings.enqueue)
          await faultPoint('in-ending-transaction')
          return rows
        }),
      patience,
    )
    const byId = new Map(moved.map((settlement) => [settlement.id, settlement]))
    return wanted.map(({ id }) => byId.get(id))
  }
}
