import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { letTimePass, price, settles, somePayment, testMoney } from '../../engine/testing-engine.ts'
import type { Scheme } from '../../payment/scheme.ts'
import { createReadPaymentStatus } from './payment-status.ts'
import type { PayingAccount } from './reserve.ts'
import { clearReverts, listReverts } from './reverts.ts'
import { findByPayment, paymentKey } from './settlement.ts'

const LIMITS = { perPayer: 2, perAccount: 4, windowSeconds: 3600 }
const operator = { actor: 'test', reason: 'the wallet was repaired' }
/** A scheme whose payers sign nothing. */
const ofAccount: Scheme = { ...somePayment().scheme, revertsCountFor: 'account' }
const hex = (bytes: number) => `0x${randomBytes(bytes).toString('hex')}`

const money = await testMoney({ revertLimits: LIMITS })

/** Fails a payment of a payer by a transaction that reverted, or by one that succeeded without an effect. */
async function revert(
  account: PayingAccount,
  payer: string,
  { scheme, succeeded = false }: { scheme?: Scheme; succeeded?: boolean } = {},
): Promise<void> {
  const payment = somePayment({ payer, ...(scheme && { scheme }) })
  money.upstream.behavior = () => ({
    kind: 'responded',
    httpStatus: 200,
    body: { success: false, errorReason: 'invalid_transaction_state', transaction: hex(32), network: '' },
  })
  await money.engine.settle(payment, money.by(account))
  await storeTransaction(payment.nonce, succeeded)
  money.chain.says(payment, { kind: 'failed', reason: 'final' })
  await letTimePass(money.db)
  await money.engine.reconcile()
  expect(await findByPayment(money.db, paymentKey(payment))).toMatchObject({ state: 'failed' })
}

/** Stores the mined transaction of a payment, as the built-in upstream does. */
async function storeTransaction(nonce: string, succeeded: boolean): Promise<void> {
  await sql`
    insert into facilitator.transactions (chain_id, signer, nonce, purpose, settlement_id, domain, payer,
      authorization_nonce, recipient, data, gas, state, hash, succeeded, block_number, block_hash, mined_at)
    select 84532, 'signer', id, 'settle', id, domain, payer, nonce, 'token', '0x', 1, 'final', ${hex(32)}, ${succeeded}, 1, '0xb',
      clock_timestamp()
    from facilitator.settlements where nonce = ${nonce}`.execute(money.db)
}

/** Whether a verify of a new payment reports that its account is refused for reverts. */
async function readIsReverted({ id }: PayingAccount): Promise<boolean> {
  const status = await createReadPaymentStatus(
    money.db,
    price,
    LIMITS,
  )({ payment: somePayment({ payer: hex(20) }), accountId: id })
  return status.reverted
}

const reserve = async (account: PayingAccount, payer: string) => {
  money.upstream.behavior = () => ({ kind: 'lost', why: 'reset', message: 'connection reset' })
  return money.engine.settle(somePayment({ payer }), money.by(account))
}

// The first test, because any revert of another test would also make the functions count.
test('payouts of channels that paid nothing refuse their account, and not the seller', async () => {
  const account = await money.account()
  const other = await money.account()
  const seller = hex(20)
  const empty = { scheme: ofAccount, succeeded: true }
  for (let count = 1; count < LIMITS.perAccount; count += 1) await revert(account, seller, empty)
  expect(await reserve(account, hex(20))).toMatchObject({ kind: 'pending' })
  await revert(account, seller, empty)
  expect(await reserve(account, hex(20))).toMatchObject({ kind: 'refused' })
  expect(await readIsReverted(account)).toBe(true)
  const subjects = [seller, String(account.id)]
  expect((await listReverts(money.db, LIMITS)).filter(({ subject }) => subjects.includes(subject))).toEqual([
    { kind: 'account', subject: String(account.id), reverts: 4, refused: true },
  ])
  expect(await reserve(other, seller)).toMatchObject({ kind: 'pending' })

  await clearReverts(money.db, { kind: 'account', subject: String(account.id) }, operator)
  expect(await readIsReverted(account)).toBe(false)
  expect(await reserve(account, hex(20))).toMatchObject({ kind: 'pending' })
})

test('the reverts of a payer do not refuse what counts for the account, such as a capture', async () => {
  const account = await money.account()
  const payer = hex(20)
  await revert(account, payer)
  const capture = somePayment({ payer, scheme: ofAccount })
  await revert(account, payer)
  expect(await reserve(account, payer)).toMatchObject({ kind: 'refused' })
  expect(await money.engine.settle(capture, money.by(account))).toMatchObject({ kind: 'pending' })
})

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

  await revert(account, payer)
  await revert(account, payer)
  expect(await reserve(account, payer)).toMatchObject({ kind: 'refused' })
})

test('successful transactions of other failed or settled payments count for no limit', async () => {
  const account = await money.account()
  for (let count = 0; count < LIMITS.perAccount; count += 1) {
    await revert(account, hex(20), { succeeded: true })
    money.upstream.behavior = settles
    const payment = somePayment({
      payer: hex(20),
      scheme: ofAccount,
    })
    await money.engine.settle(payment, money.by(account))
    await storeTransaction(payment.nonce, true)
  }
  expect(await reserve(account, hex(20))).toMatchObject({ kind: 'pending' })
  const { id } = account
  expect((await listReverts(money.db, LIMITS)).filter(({ subject }) => subject === String(id))).toEqual([])
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
