import { expect, test } from 'vitest'
import { getAccount } from '../../ledger/accounts/accounts.ts'
import { checkLedger } from '../../ledger/check/check.ts'
import type { PayingAccount } from '../../ledger/settlements/reserve.ts'
import type { Payment } from '../../payment/payment.ts'
import type { Engine } from '../engine.ts'
import { auditSettlements } from '../operator/operator.ts'
import { FAULT_POINTS, type FaultPoint } from '../settings/fault-points.ts'
import {
  type Behavior,
  letTimePass,
  losesTheCall,
  network,
  price,
  refuses,
  refusesForNow,
  responded,
  sendsNothing,
  settles,
  settlesSilently,
  somePayment,
  testMoney,
} from '../testing-engine.ts'

// MINTMARK_SEED replays a run that failed.
const given = process.env.MINTMARK_SEED
const seeds = given === undefined ? [1, 2, 3, 4] : [Number(given)]
const rounds = 60

const behaviors: readonly Behavior[] = [
  settles,
  settles,
  settlesSilently,
  losesTheCall,
  refuses,
  refusesForNow,
  sendsNothing,
  () => responded({ success: false, errorReason: 'insufficient_funds', transaction: '', network }),
  () => responded({ success: false, errorReason: 'unexpected_settle_error', transaction: '', network }),
  (payment, chain) =>
    responded({ success: false, errorReason: 'timed_out', transaction: chain.execute(payment), network }),
  (payment, chain) => {
    chain.execute(payment)
    throw new Error('the upstream died after it had broadcast')
  },
]

class Crash extends Error {
  override readonly name = 'Crash'
}

const money = await testMoney()

/**
 * An engine that dies at a point: from then on nothing that it does gets past any point, as in a process that
 * is gone.
 */
function mortal(point: FaultPoint): Engine {
  let dead = false
  return money.another({
    faultPoint: (reached) => {
      if (reached === point) dead = true
      if (dead) throw new Crash(point)
    },
  })
}

/** Whether the engine lived to the end of the work. */
async function survives(work: Promise<unknown>): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    if (error instanceof Crash) return false
    throw error
  }
}

test.each(seeds)(
  'a crash at any step leaves one charge for every payment and no other charge (seed %i)',
  async (seed) => {
    const random = randomFrom(seed)
    const pick = <T>(list: readonly T[]): T => {
      const chosen = list[Math.floor(random() * list.length)]
      if (chosen === undefined) throw new Error('nothing to choose from')
      return chosen
    }
    const payments: { payment: Payment; account: PayingAccount }[] = []
    const delivered = new Map<string, number>()
    const accounts = [await money.account({ settles: 500 }), await money.account({ settles: 500 })]
    let crashes = 0

    const settle = async (engine: Engine, { payment, account }: (typeof payments)[number]) => {
      const outcome = await engine.settle(payment, money.by(account))
      if (outcome.kind === 'settled') delivered.set(payment.nonce, (delivered.get(payment.nonce) ?? 0) + 1)
    }
    for (let round = 0; round < rounds; round += 1) {
      const engine = mortal(pick(FAULT_POINTS))
      money.upstream.behavior = pick(behaviors)
      const fresh = { payment: somePayment(), account: pick(accounts) }
      payments.push(fresh)
      const again = pick(payments)
      const works = [fresh, fresh, again].map((one) => survives(settle(engine, one)))
      if (random() < 0.5) works.push(survives(money.engine.reconcile()))
      if (random() < 0.3) await letTimePass(money.db)
      const lived = await Promise.all(works)
      if (lived.includes(false)) crashes += 1
      if (random() < 0.3) await letTimePass(money.db)
      if (!(await survives(mortal(pick(FAULT_POINTS)).reconcile()))) crashes += 1
    }
    expect(crashes).toBeGreaterThan(rounds / 2)

    // What the chain never had will never be there: all authorizations run out.
    const onChain = new Set(money.chain.paid)
    for (const { payment } of payments) {
      if (!onChain.has(payment.nonce)) money.chain.says(payment, { kind: 'failed', reason: 'expired' })
    }
    for (let look = 0; look < 3; look += 1) {
      await letTimePass(money.db)
      await money.another().reconcile()
    }

    for (const { id } of accounts) {
      const rows = await money.db
        .selectFrom('facilitator.settlements as s')
        .leftJoin('facilitator.charges as c', 'c.settlement_id', 's.id')
        .select(['s.nonce', 's.state', 's.upstream_responded', 'c.settlement_id as charge'])
        .where('s.account_id', '=', id)
        .execute()
      for (const row of rows) {
        const paid = onChain.has(row.nonce)
        if (paid) expect(row.state).toBe('settled')
        else expect(['failed', 'not_sent']).toContain(row.state)
        expect(row.charge !== null).toBe(paid || row.upstream_responded)
      }
      const charged = rows.filter(({ charge }) => charge !== null).length
      const { available, held } = await getAccount(money.db, id)
      expect({ available, held }).toEqual({ available: BigInt(500 - charged) * price, held: 0n })
    }
    const mine = payments.filter(({ payment }) => onChain.has(payment.nonce)).map(({ payment }) => payment)
    for (const { nonce } of payments.map(({ payment }) => payment)) {
      expect(delivered.get(nonce) ?? 0).toBeLessThanOrEqual(1)
      expect(money.upstream.executed.filter((called) => called === nonce).length).toBeLessThanOrEqual(1)
    }
    const transactions = mine.map((payment) => ({
      ...payment,
      transaction: money.chain.requireTransaction(payment),
    }))
    expect((await auditSettlements(money.db, transactions)).problems).toEqual([])
    expect((await checkLedger(money.db)).problems).toEqual([])
  },
)

/** Numbers from 0 to 1 that a seed repeats (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
