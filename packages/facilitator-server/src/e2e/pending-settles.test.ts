// Settles of the built-in upstream whose transaction is mined late.

import { devAccount } from '@mintmark/devkit/chain/accounts'
import { devUsdcAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { permit2Address } from '@mintmark/devkit/chain/chain'
import { testChain } from '@mintmark/devkit/chain/testing'
import { createLog, openDatabase, readEnvironment } from '@mintmark/server-kit'
import { ExactEvmScheme as PayerScheme } from '@x402/evm/exact/client'
import { ExactEvmScheme as SellerScheme } from '@x402/evm/exact/server'
import { paymentMiddleware, x402ResourceServer } from '@x402/express'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import express from 'express'
import { sql } from 'kysely'
import { afterAll, afterEach, expect, test } from 'vitest'
import type { Tables } from '../database/tables.ts'
import { signedBody, signedPermit2Body } from '../engine/testing.ts'
import { checkLedger } from '../ledger/check/check.ts'
import { type RunningFacilitator, startFacilitator } from '../server.ts'
import { type TestAccount, testFacilitator } from '../testing.ts'
import { testConfiguration } from '../testing-configuration.ts'
import { openFacilitatorClient, serveSeller } from './testing-sellers.ts'

const chain = await testChain()
const payer = devAccount(1)
const facilitator = await testFacilitator({
  chain,
  signerKeys: [devAccount(9).privateKey],
  env: { UPSTREAM_TIMEOUT_MS: '500' },
})
afterEach(async () => {
  await chain.client.setAutomine(true)
  await chain.client.mine({ blocks: 1 })
  expect((await checkLedger(facilitator.db)).problems).toEqual([])
})
afterAll(() => facilitator.close())

const seller = '0x00000000000000000000000000000000000fac17'

/** Lists the hashes of the transactions that were signed for the account's settlements, oldest first. */
async function listSigned({ id }: TestAccount): Promise<string[]> {
  const { rows } = await sql<{ hash: string }>`
    select distinct a.hash, a.created_at from facilitator.settlements s
    join facilitator.transactions p on p.settlement_id = s.id
    join facilitator.transaction_attempts a on a.transaction_id = coalesce(p.batch_id, p.id)
    where s.account_id = ${id} order by a.created_at`.execute(facilitator.db)
  return rows.map(({ hash }) => hash)
}

/** Settles the payment at the root and below `/x402`. Expects that both responses name the transaction. */
async function expectPending(body: object, account: TestAccount, transaction: string): Promise<void> {
  const native = await facilitator.post('/settle', body, account.token)
  expect([native.status, await native.json()]).toEqual([503, { error: 'SettlementPending', transaction }])
  expect(Number(native.headers.get('retry-after'))).toBeGreaterThan(0)
  const x402 = await facilitator.post('/x402/settle', body, account.token)
  expect([x402.status, await x402.json()]).toMatchObject([
    200,
    { success: false, errorReason: 'settlement_pending', transaction },
  ])
  expect(Number(x402.headers.get('retry-after'))).toBeGreaterThan(0)
}

async function signPermit2(): Promise<object> {
  const hash = await chain.as(1).writeContract({
    address: chain.token,
    abi: devUsdcAbi,
    functionName: 'approve',
    args: [permit2Address, 10n ** 12n],
  })
  await chain.client.waitForTransactionReceipt({ hash })
  const validBefore = BigInt(Math.floor(Date.now() / 1000) + 600)
  return signedPermit2Body({ account: payer, to: seller, value: 10_000n, nonce: '7', validBefore })
}

test.each([
  ['EIP-3009', () => signedBody({ account: payer }), '/settle'],
  ['EIP-3009', () => signedBody({ account: payer }), '/x402/settle'],
  ['Permit2', signPermit2, '/settle'],
])('a settle by %s that times out names its transaction, and so do its repeats', async (_, sign, path) => {
  const account = await facilitator.account()
  const body = await sign()
  await chain.client.setAutomine(false)
  const first = await facilitator.post(path, body, account.token)
  const [hash = 'none'] = await listSigned(account)
  expect(await first.json()).toMatchObject({ transaction: hash })
  expect(Number(first.headers.get('retry-after'))).toBeGreaterThan(0)
  await expectPending(body, account, hash)
})

test('each payment of a batch that times out names the transaction of the batch', async () => {
  const account = await facilitator.account()
  await sql`update facilitator.accounts set batch_delay_ms = 100 where id = ${account.id}`.execute(
    facilitator.db,
  )
  const bodies = await Promise.all([1, 2, 3].map(() => signedBody({ account: payer })))
  await chain.client.setAutomine(false)
  const settling = bodies.map((body) => facilitator.post('/x402/settle', body, account.token))
  const responses = await Promise.all((await Promise.all(settling)).map((response) => response.json()))
  const signed = await listSigned(account)
  expect(signed).toHaveLength(1)
  const [hash = 'none'] = signed
  for (const response of responses)
    expect(response).toMatchObject({ errorReason: 'settlement_pending', transaction: hash })
  for (const body of bodies) await expectPending(body, account, hash)
})

test('a pending payment whose transaction was replaced by one with a higher fee names the newer one', async () => {
  const account = await facilitator.account()
  const body = await signedBody({ account: payer })
  await chain.client.setAutomine(false)
  await facilitator.post('/settle', body, account.token)
  await sql`
    update facilitator.transaction_attempts set created_at = created_at - interval '10 minutes'`.execute(
    facilitator.db,
  )
  await expect.poll(async () => (await listSigned(account)).length).toBe(2)
  await expectPending(body, account, (await listSigned(account)).at(-1) ?? 'none')
})

/** Starts another process on the same database, whose repeated settles wait. Its calls are logged. */
async function startPatient(): Promise<RunningFacilitator & { readonly log: readonly string[] }> {
  const log: string[] = []
  const env = { ...facilitator.env, REPEAT_TIMEOUT_MS: '600000' }
  const lines = createLog('facilitator', 'info', { write: (line) => void log.push(line) })
  return {
    ...(await startFacilitator(readEnvironment(env), lines, { configuration: testConfiguration })),
    log,
  }
}

const settlementOf = async ({ id }: TestAccount) =>
  (await facilitator.settlements()).find(({ account_id }) => account_id === id)
const countUnknown = async (account: TestAccount) =>
  (await settlementOf(account))?.state === 'unknown' ? 1 : 0

/** Settles a payment whose transaction is in no block when its call gives up. */
async function settleLate() {
  const account = await facilitator.account()
  const body = await signedBody({ account: payer })
  await chain.client.setAutomine(false)
  expect((await facilitator.post('/settle', body, account.token)).status).toBe(503)
  return { account, body }
}

/** Lets no check by itself find the outcome soon: only that the transaction is mined. */
const delayCheck = ({ id }: TestAccount) =>
  sql`
  update facilitator.settlements set lease_until = clock_timestamp() + interval '1 hour', check_count = 6
  where account_id = ${id}`.execute(facilitator.db)

test('a stock seller whose payment is in a block late delivers it for one payment, and its handler runs once', async () => {
  await using patient = await startPatient().then((running) =>
    Object.assign(running, { [Symbol.asyncDispose]: () => running.close() }),
  )
  const account = await facilitator.account()
  const client = openFacilitatorClient(`${patient.url}/x402`, account.token)
  const resources = new x402ResourceServer(client).register('eip155:84532', new SellerScheme())
  const accepts = { scheme: 'exact', price: '$0.01', network: 'eip155:84532', payTo: seller } as const
  const app = express()
  app.use(paymentMiddleware({ 'GET /report': { accepts } }, resources))
  let runs = 0
  app.get('/report', (_, response) => {
    runs += 1
    response.send('the report')
  })
  const shop = await serveSeller(app)
  const before = await readBalance()
  await chain.client.setAutomine(false)
  const pay = wrapFetchWithPayment(fetch, new x402Client().register('eip155:*', new PayerScheme(payer)))
  const paying = pay(`${shop.url}/report`)
  await expect.poll(() => countUnknown(account)).toBe(1)
  await delayCheck(account)
  await chain.client.mine({ blocks: 1 })
  const paid = await paying
  expect([paid.status, await paid.text(), runs]).toEqual([200, 'the report', 1])
  expect((await readBalance()) - before).toBe(10_000n)
  shop.stop()
})

const readBalance = () =>
  chain.client.readContract({
    address: chain.token,
    abi: devUsdcAbi,
    functionName: 'balanceOf',
    args: [seller],
  })

test('the payments of a batch that is mined late are delivered to their waiting repeats', async () => {
  await using patient = await startPatient().then((running) =>
    Object.assign(running, { [Symbol.asyncDispose]: () => running.close() }),
  )
  const account = await facilitator.account()
  await sql`update facilitator.accounts set batch_delay_ms = 100 where id = ${account.id}`.execute(
    facilitator.db,
  )
  const bodies = await Promise.all([1, 2].map(() => signedBody({ account: payer })))
  await chain.client.setAutomine(false)
  await Promise.all(bodies.map((body) => facilitator.post('/settle', body, account.token)))
  await delayCheck(account)
  const repeats = bodies.map((body) => post(patient, body, account))
  await chain.client.mine({ blocks: 1 })
  for (const repeat of await Promise.all(repeats)) expect(repeat.status).toBe(200)
})

const post = ({ url }: RunningFacilitator, body: object, { token }: TestAccount, signal?: AbortSignal) =>
  fetch(`${url}/settle`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  })
async function openOwner() {
  const opened = openDatabase<Tables>({ url: facilitator.databaseUrl })
  return Object.assign(opened, { [Symbol.asyncDispose]: () => opened.close() })
}
/** Waits until a process reads the states of awaited settlements. */
async function untilWaiting(): Promise<void> {
  const { rows } = await sql<{ now: string }>`select clock_timestamp()::text as now`.execute(facilitator.db)
  // Another role does not see the statements of a process.
  await using owner = await openOwner()
  const countReads = async () => {
    const reads = await sql`
      select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and query_start > ${rows[0]?.now}::timestamptz
        and query like '%state not in (''sent'', ''unknown'')%'`.execute(owner.system)
    return reads.rows.length
  }
  await expect.poll(countReads).toBeGreaterThan(0)
}
const countEnded = ({ log }: { readonly log: readonly string[] }) =>
  log.filter((line) => line.includes('"operation":"payments.settle"') && line.includes('"msg":"call"')).length

test('a repeat that waits ends when its caller hangs up, and names the transaction when the server stops', async () => {
  const patient = await startPatient()
  const { account, body } = await settleLate()
  await delayCheck(account)
  const caller = new AbortController()
  const left = post(patient, body, account, caller.signal)
  await untilWaiting()
  expect(countEnded(patient)).toBe(0)
  caller.abort()
  await expect(left).rejects.toThrow()
  await expect.poll(() => countEnded(patient)).toBe(1)
  const staying = post(patient, body, account)
  await untilWaiting()
  const closing = patient.close()
  const response = await staying
  const [transaction] = await listSigned(account)
  expect([response.status, await response.json()]).toEqual([503, { error: 'SettlementPending', transaction }])
  await closing
})
