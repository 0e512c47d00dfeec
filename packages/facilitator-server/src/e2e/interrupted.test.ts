// Settles whose process dies, or is too slow, before it has signed anything.

import { devAccount } from '@mintmark/devkit/chain/accounts'
import { testChain } from '@mintmark/devkit/chain/testing'
import { createLog, readEnvironment } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { afterAll, afterEach, expect, test } from 'vitest'
import type { FaultPoint } from '../engine/settings/fault-points.ts'
import { signedBody } from '../engine/testing.ts'
import { letTimePass } from '../engine/testing-engine.ts'
import { checkLedger } from '../ledger/check/check.ts'
import { startFacilitator } from '../server.ts'
import { settlePrice, type TestAccount, testFacilitator } from '../testing.ts'
import { testConfiguration } from '../testing-configuration.ts'

const chain = await testChain()
const payer = devAccount(1)
const facilitator = await testFacilitator({ chain, signerKeys: [devAccount(9).privateKey] })
afterEach(async () => expect((await checkLedger(facilitator.db)).problems).toEqual([]))
afterAll(() => facilitator.close())

/** Starts another process on the same database, with one fault. */
function startAnother(
  faultPoint: (point: FaultPoint) => void | Promise<void>,
  env: Record<string, string> = {},
) {
  const log = createLog('facilitator', 'silent')
  return startFacilitator(readEnvironment({ ...facilitator.env, ...env }), log, {
    configuration: testConfiguration,
    faultPoint,
  })
}
const post = (url: string, body: object, { token }: TestAccount) =>
  fetch(`${url}/settle`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })
/** Settles with a process that dies after it has held the price, and before it has signed anything. */
async function settleAndDie(body: object, account: TestAccount): Promise<void> {
  const dying = await startAnother((point) => {
    if (point === 'after-hold-commit') throw new Error('the process died')
  })
  expect((await post(dying.url, body, account)).status).toBe(500)
  await dying.close()
}
const settlementOf = async ({ id }: TestAccount) =>
  (await facilitator.settlements()).find(({ account_id }) => account_id === id)
const transactionsOf = async (body: Awaited<ReturnType<typeof signedBody>>) => {
  const { nonce } = body.paymentPayload.payload.authorization
  const { rows } = await sql<{ hash: string }>`
    select id from facilitator.transactions where authorization_nonce = ${nonce}`.execute(facilitator.db)
  return rows
}
/** Ends leases until the reconciliation has released the account's settlement. */
async function released(account: TestAccount) {
  for (;;) {
    const settlement = await settlementOf(account)
    if (settlement?.state === 'not_sent') return settlement
    if (settlement?.state !== 'sent' && settlement?.state !== 'unknown')
      throw new Error(`The settlement is ${settlement?.state}`)
    await letTimePass(facilitator.db)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

test('a payment whose process died before signing is released by reconciliation, and a repeat executes and charges it once', async () => {
  const account = await facilitator.account()
  const body = await signedBody({ account: payer })
  await settleAndDie(body, account)
  expect(await facilitator.available(account)).toBe(99n * settlePrice)
  expect(await released(account)).toMatchObject({ hold: 'released', reconciled: true })
  expect(await facilitator.available(account)).toBe(100n * settlePrice)
  const events = await facilitator.db
    .selectFrom('facilitator.events')
    .select(['type', 'data'])
    .where('account_id', '=', account.id)
    .where('type', 'like', 'settlement.%')
    .orderBy('id')
    .execute()
  expect(events).toMatchObject([
    { type: 'settlement.unknown' },
    { type: 'settlement.reconciled', data: { status: 'not_sent', charged: false } },
  ])
  expect((await facilitator.post('/settle', body, account.token)).status).toBe(200)
  expect(await facilitator.available(account)).toBe(99n * settlePrice)
  expect(await transactionsOf(body)).toHaveLength(1)
})

test('responds to a repeat that the outcome is not known, and not that it is a duplicate, after the process of the first call died', async () => {
  const account = await facilitator.account()
  const body = await signedBody({ account: payer })
  await settleAndDie(body, account)
  const native = await facilitator.post('/settle', body, account.token)
  expect(native.status).toBe(503)
  expect(Number(native.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await native.json()).toEqual({ error: 'SettlementPending' })
  const x402 = await facilitator.post('/x402/settle', body, account.token)
  expect(await x402.json()).toMatchObject({ success: false, errorReason: 'settlement_pending' })
  // The lease of the dead call lasts: nobody else has taken the payment over.
  expect(await settlementOf(account)).toMatchObject({ state: 'sent', hold: 'held' })
  expect(await released(account)).toMatchObject({ hold: 'released' })
  expect((await facilitator.post('/settle', body, account.token)).status).toBe(200)
})

test('executes a payment when it is repeated after the lease of a process that died before signing', async () => {
  const account = await facilitator.account()
  const body = await signedBody({ account: payer })
  await settleAndDie(body, account)
  let response = await facilitator.post('/settle', body, account.token)
  while (response.status !== 200) {
    await letTimePass(facilitator.db)
    response = await facilitator.post('/settle', body, account.token)
  }
  expect(await facilitator.available(account)).toBe(99n * settlePrice)
  expect(await transactionsOf(body)).toHaveLength(1)
})

test('a process that resumes after its lease has ended signs nothing, and a retry executes the payment once', async () => {
  const account = await facilitator.account()
  const body = await signedBody({ account: payer })
  let resume = () => {}
  const reserved = Promise.withResolvers<void>()
  const slow = await startAnother((point) => {
    if (point !== 'after-hold-commit') return undefined
    reserved.resolve()
    return new Promise<void>((resolve) => {
      resume = resolve
    })
  })
  const settling = post(slow.url, body, account)
  await reserved.promise
  await released(account)
  resume()
  const late = await settling
  expect(late.status).toBe(503)
  expect(await late.json()).toEqual({ error: 'SettlementNotSent' })
  expect(await transactionsOf(body)).toEqual([])
  expect((await facilitator.post('/settle', body, account.token)).status).toBe(200)
  expect(await transactionsOf(body)).toHaveLength(1)
  expect(await facilitator.available(account)).toBe(99n * settlePrice)
  await slow.close()
})

test('a payment that a remote upstream may still execute stays unknown when the built-in upstream reconciles it', async () => {
  const account = await facilitator.account()
  const body = await signedBody({ account: payer })
  // Nobody listens on the discard port, so the outcome counts as lost.
  const remote = await startAnother(() => {}, { UPSTREAM_FACILITATOR_URL: 'http://127.0.0.1:9' })
  expect((await post(remote.url, body, account)).status).toBe(503)
  await remote.close()
  const before = (await settlementOf(account))?.check_count ?? 0
  let settlement = await settlementOf(account)
  while (settlement === undefined || settlement.check_count < before + 3) {
    await letTimePass(facilitator.db)
    await facilitator.post('/settle', body, account.token)
    settlement = await settlementOf(account)
  }
  expect(settlement).toMatchObject({ state: 'unknown', hold: 'held', upstream: 'remote' })
  expect(await transactionsOf(body)).toEqual([])
})
