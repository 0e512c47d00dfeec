import { randomFrom } from '@mintmark/devkit/random'
import { expect, test } from 'vitest'
import { letTimePass } from '../../../engine/testing-engine.ts'
import { checkLedger } from '../../../ledger/check/check.ts'
import type { SvmFaultPoint } from './svm-upstream.ts'
import { startSvmFixture } from './testing-fixture.ts'

const PAYMENTS = 8
/** SOLANA_CRASH_SEEDS=200 runs more seeds. */
const SEEDS = Number(process.env.SOLANA_CRASH_SEEDS ?? 12)
/** More blocks than a blockhash lives, and than are not final. */
const AFTER_EXPIRY = 150 + 32 + 5
const POINTS: readonly (SvmFaultPoint | undefined)[] = ['svm-checked', 'svm-stored', 'svm-sent', undefined]

test.each(Array.from({ length: SEEDS }, (_, index) => index + 1))(
  'loses and doubles no Solana payment when settles die and nodes misbehave, seed %i',
  async (seed) => {
    await using stops = new AsyncDisposableStack()
    const random = randomFrom(seed)
    const fixture = await startSvmFixture(stops)
    const { ledger, chain, second, money, engine, upstream, faults } = fixture
    const account = await money.account()
    const maintain = async () => {
      await letTimePass(money.db)
      await upstream.sweep()
      await engine.reconcile()
    }
    for (let index = 0; index < PAYMENTS; index += 1) {
      const payment = await fixture.pay()
      ledger.landing = random.integer(2) === 0 ? 'held' : 'immediate'
      chain.view.losesSends = random.integer(3) === 0
      second.view.losesSends = random.integer(3) === 0
      second.view.lag = random.pick([0, 0, 5, 250])
      chain.view.forgetsTransactions = random.integer(3) === 0
      second.view.statusLag = random.integer(4) === 0 ? 50 : 0
      const stopped = Promise.withResolvers<void>()
      faults.onReach = stopped.resolve
      faults.at = POINTS[random.integer(POINTS.length)]
      const isHeld = ledger.landing === 'held'
      const settled = engine.settle(payment, money.by(account))
      // A settle that is not killed ends by itself unless its transaction waits: then it is left alone, as a
      // killed one.
      if (
        faults.at === undefined &&
        !isHeld &&
        !chain.view.losesSends &&
        second.view.statusLag === 0 &&
        second.view.lag === 0
      )
        await settled
      else if (faults.at !== undefined) await stopped.promise
      else settled.catch(() => {})
      if (random.integer(3) === 0) await maintain()
      for (const signature of ledger.pending) {
        const fate = random.pick(['land', 'drop', 'wait'])
        if (fate === 'land') ledger.land(signature)
        if (fate === 'drop') ledger.drop(signature)
      }
      if (random.integer(4) === 0) ledger.fork(1)
      ledger.advance(random.pick([1, 20, 200]))
      await maintain()
    }
    faults.at = undefined
    ledger.landing = 'immediate'
    for (const { view } of [chain, second])
      Object.assign(view, { losesSends: false, forgetsTransactions: false, lag: 0, statusLag: 0 })
    // A settle that was left alone may still be working.
    const listOpen = async () => {
      await maintain()
      ledger.advance(AFTER_EXPIRY)
      await maintain()
      await maintain()
      return await money.db
        .selectFrom('facilitator.settlements')
        .select(['id', 'state'])
        .where('state', 'in', ['sent', 'unknown'])
        .execute()
    }
    await expect.poll(listOpen, { timeout: 20_000, interval: 50 }).toEqual([])

    const settlements = await money.db.selectFrom('facilitator.settlements').selectAll().execute()
    const settled = settlements.filter(({ state }) => state === 'settled')
    expect(settled.map(({ transaction }) => transaction).toSorted()).toEqual(
      [...ledger.landed.keys()].toSorted(),
    )
    expect(await fixture.received()).toBe(BigInt(settled.length) * 10_000n)
    expect(settled.filter(({ hold }) => hold !== 'captured')).toEqual([])
    const unpaid = settlements.filter(({ state }) => state !== 'settled')
    // A fork may remove a payment whose price was charged. The charge stays if our upstream had responded, as
    // after any other 2xx.
    const charged = unpaid.filter(({ hold }) => hold !== 'released')
    for (const { hold, upstream_responded: responded } of charged)
      expect({ hold, responded }).toEqual({ hold: responded ? 'captured' : 'refunded', responded })
    const charges = await money.db.selectFrom('facilitator.charges').selectAll().execute()
    expect(charges).toHaveLength(settled.length + charged.length)
    expect((await checkLedger(money.db)).problems).toEqual([])
  },
)
