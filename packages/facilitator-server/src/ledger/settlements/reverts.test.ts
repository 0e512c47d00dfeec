import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRevertWaits } from '../../payments/reverts/revert-waits.ts'
import { somePayment, type TestMoney, testMoney } from '../../payments/testing-engine.ts'
import type { PayingAccount } from './reserve.ts'
import { clearReverts, listReverts } from './reverts.ts'

const LIMITS = { perPayer: 2, perAccount: 4, windowSeconds: 3600 }
const operator = { actor: 'test', reason: 'the wallet was repaired' }
const hex = (bytes: number) => `0x${randomBytes(bytes).toString('hex')}`

let money: TestMoney
beforeAll(async () => {
  money = await testMoney({ revertLimits: LIMITS })
})
afterAll(async () => {
  await money.close()
})

/** Fails a payment of a payer by a transaction that reverted. */
async function revert(account: PayingAccount, payer: string): Promise<void> {
  const payment = somePayment({ payer })
  money.upstream.behavior = () => ({
    kind: 'responded',
    httpStatus: 200,
    body: { success: false, errorReason: 'invalid_transaction_state', transaction: hex(32), network: '' },
  })
  await money.engine.settle(payment, money.by(account))
  await sql`
    insert into facilitator.transactions (chain_id, signer, nonce, purpose, settlement_id, domain, payer,
      authorization_nonce, recipient, data, gas, state, hash, succeeded, block_number, block_hash)
    select 84532, 'signer', id, 'settle', id::text, domain, payer, nonce, 'token', '0x', 1, 'final', ${hex(32)}, false, 1, '0xb'
    from facilitator.settlements where nonce = ${payment.nonce}`.execute(money.db)
}

const reserve = async (account: PayingAccount, payer: string) => {
  money.upstream.behavior = () => ({ kind: 'lost', why: 'reset', message: 'connection reset' })
  return money.engine.settle(somePayment({ payer }), money.by(account))
}

test('an operator ends the refusal of a payer, and later reverts count again', async () => {
  const account = await money.account()
  const payer = hex(20)
  await revert(account, payer)
  await revert(account, payer)
  expect(await reserve(account, payer)).toMatchObject({ kind: 'refused' })
  expect(await listReverts(money.db, LIMITS)).toContainEqual({
    kind: 'payer',
    subject: payer,
    reverts: 2,
    refused: true,
  })

  await clearReverts(money.db, { kind: 'payer', subject: payer }, operator)
  expect((await listReverts(money.db, LIMITS)).filter(({ subject }) => subject === payer)).toEqual([])
  expect(await reserve(account, payer)).toMatchObject({ kind: 'pending' })
  const waits = createRevertWaits(money.db, { ...LIMITS, perAccount: 100 }, 10)
  expect(await waits.getSeconds(somePayment({ payer }), account.id)).toBe(0)

  await revert(account, payer)
  await revert(account, payer)
  expect(await reserve(account, payer)).toMatchObject({ kind: 'refused' })
})

test('an operator ends the refusal of an account, and its payers stay refused', async () => {
  const account = await money.account()
  const payers = [hex(20), hex(20)]
  for (const payer of payers) {
    await revert(account, payer)
    await revert(account, payer)
  }
  expect(await reserve(account, hex(20))).toMatchObject({ kind: 'refused' })
  await clearReverts(money.db, { kind: 'account', subject: String(account.id) }, operator)
  expect(await reserve(account, hex(20))).toMatchObject({ kind: 'pending' })
  expect(await reserve(account, payers[0] ?? '')).toMatchObject({ kind: 'refused' })
})
