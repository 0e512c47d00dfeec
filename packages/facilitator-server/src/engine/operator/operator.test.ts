import { afterEach, expect, test } from 'vitest'
import { getAccount } from '../../ledger/accounts/accounts.ts'
import { findByPayment, paymentKey } from '../../ledger/settlements/settlement.ts'
import { losesTheCall, price, somePayment, testMoney } from '../testing-engine.ts'
import { auditSettlements, readSettlementHistory, resolveSettlement } from './operator.ts'

const elsewhere = 'eip155:1'
const transaction = `0x${'ef'.repeat(32)}`
const operator = { actor: 'alice', reason: 'seen on the explorer' }

const money = await testMoney({ unreadableNetworks: new Set([elsewhere]) })
afterEach(() => money.endTest())

async function unknown(network = elsewhere) {
  money.upstream.behavior = losesTheCall
  const account = await money.account({ settles: 1 })
  const payment = somePayment({ network, wireNetwork: network })
  await money.engine.settle(payment, money.by(account))
  const id = (await findByPayment(money.db, paymentKey(payment)))?.id ?? 0
  return { account, payment, id }
}
const options = () => ({ chargeOn: 'upstream-2xx' as const, chainReader: money.chain })

test('an operator resolves an unknown settlement of an unreadable network, and the resolution is recorded', async () => {
  const { account, payment, id } = await unknown()
  const resolved = await resolveSettlement(
    money.db,
    { id, outcome: 'settled', transaction, ...operator },
    options(),
  )
  expect(resolved).toMatchObject({ kind: 'resolved', settlement: { state: 'settled', transaction } })
  expect(await money.engine.settle(payment, money.by(account))).toMatchObject({ kind: 'settled' })
  expect((await getAccount(money.db, account.id)).available).toBe(0n)
  expect(await readSettlementHistory(money.db, { id })).toMatchObject({
    settlement: { id },
    charge: { cause: 'operator' },
    transfers: [{ kind: 'hold' }, { kind: 'capture' }],
    events: [
      { type: 'settlement.unknown' },
      { type: 'settlement.settled' },
      { type: 'settlement.reconciled' },
    ],
    resolutions: [{ outcome: 'settled', ...operator }],
  })
})

test('or it ends as failed, and the price goes back', async () => {
  const { account, id } = await unknown()
  await resolveSettlement(money.db, { id, outcome: 'failed', ...operator }, options())
  expect((await getAccount(money.db, account.id)).available).toBe(price)
})

test('a resolution is refused when it is repeated, contradicts a readable chain, or lacks an actor or a reason', async () => {
  const { id } = await unknown()
  const failed = { id, outcome: 'failed', ...operator } as const
  await expect(resolveSettlement(money.db, { ...failed, reason: '' }, options())).rejects.toThrow(/reason/)
  await resolveSettlement(money.db, failed, options())
  expect(await resolveSettlement(money.db, failed, options())).toEqual({
    kind: 'not-unknown',
    state: 'failed',
  })
  const readable = await unknown('eip155:84532')
  expect(await resolveSettlement(money.db, { ...failed, id: readable.id }, options())).toMatchObject({
    kind: 'readable',
  })
  expect(await resolveSettlement(money.db, { ...failed, id: 999_999 }, options())).toEqual({
    kind: 'not-found',
  })
})

test('accepts the decision of only one of two concurrent operators', async () => {
  const { id } = await unknown()
  const results = await Promise.all([
    resolveSettlement(money.db, { id, outcome: 'failed', ...operator }, options()),
    resolveSettlement(money.db, { id, outcome: 'settled', transaction, ...operator }, options()),
  ])
  expect(results.map(({ kind }) => kind).sort()).toEqual(['not-unknown', 'resolved'])
})

test('an audit finds payments of our signers without a settlement or with a contradicting one', async () => {
  const account = await money.account()
  const settled = somePayment()
  const outcome = await money.engine.settle(settled, money.by(account))
  if (outcome.kind !== 'settled') throw new Error(outcome.kind)
  const { payment: open, id } = await unknown()
  const onChain = { ...settled, transaction: outcome.settlement.transaction }
  const stray = { ...somePayment(), transaction }
  const { checked, problems } = await auditSettlements(money.db, [
    onChain,
    { ...onChain, transaction },
    { ...open, transaction },
    stray,
  ])
  expect(checked).toBe(4)
  expect(problems).toMatchObject([
    { problem: 'another transaction', settlementId: outcome.settlement.settlementId },
    { problem: 'not settled', settlementId: id },
    { problem: 'no settlement', payment: { nonce: stray.nonce } },
  ])
})

test('finds a settlement by its order number, and nothing by an unknown one', async () => {
  const { id } = await unknown()
  const shown = await readSettlementHistory(money.db, { id })
  const orderNo = shown?.settlement.order_no ?? ''
  expect((await readSettlementHistory(money.db, { orderNo }))?.settlement.id).toBe(id)
  expect(await readSettlementHistory(money.db, { orderNo: 'MP0' })).toBeUndefined()
})
