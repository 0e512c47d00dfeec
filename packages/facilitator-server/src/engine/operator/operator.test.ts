import { afterEach, expect, test } from 'vitest'
import { findByPayment, paymentKey } from '../../ledger/settlements/settlement.ts'
import { losesTheCall, somePayment, testMoney } from '../testing-engine.ts'
import { auditSettlements } from './operator.ts'

const elsewhere = 'eip155:1'
const transaction = `0x${'ef'.repeat(32)}`

const money = await testMoney({ unreadableNetworks: new Set([elsewhere]) })
afterEach(() => money.endTest())

async function settleUnknown() {
  money.upstream.behavior = losesTheCall
  const payment = somePayment({ network: elsewhere, wireNetwork: elsewhere })
  await money.engine.settle(payment, money.by(await money.account({ settles: 1 })))
  const id = (await findByPayment(money.db, paymentKey(payment)))?.id ?? 0
  return { payment, id }
}

test('an audit finds payments of our signers without a settlement or with a contradicting one', async () => {
  const account = await money.account()
  const settled = somePayment()
  const outcome = await money.engine.settle(settled, money.by(account))
  if (outcome.kind !== 'settled') throw new Error(outcome.kind)
  const { payment: open, id } = await settleUnknown()
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
