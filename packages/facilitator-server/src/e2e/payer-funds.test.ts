import { randomBytes } from 'node:crypto'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { devUsdcAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { testChain } from '@mintmark/devkit/chain/testing'
import { startFaultyNode } from '@mintmark/devkit/testing'
import { sql } from 'kysely'
import type { LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { DEFAULT_REVERT_LIMITS } from '../engine/settings/engine-options.ts'
import { hex, signedBody } from '../engine/testing.ts'
import { checkLedger } from '../ledger/check/check.ts'
import { listReverts } from '../ledger/settlements/reverts.ts'
import { type TestFacilitator, testFacilitator } from '../testing.ts'

const chain = await testChain()
const node = await startFaultyNode(chain.rpcUrl)
const token = { address: chain.token, abi: devUsdcAbi } as const
const AMOUNT = 10_000n

const shared = { chain: { rpcUrl: node.url, treasury: chain.treasury } }
const first = await testFacilitator({
  ...shared,
  signerKeys: [8, 9].map((key) => devAccount(key).privateKey),
})
// As a second process on the same database, with a signer of its own.
const second = await testFacilitator({
  ...shared,
  signerKeys: [devAccount(7).privateKey],
  env: { DATABASE_URL: first.databaseUrl, SECRET_KEYS: String(first.env.SECRET_KEYS) },
})
afterEach(async () => {
  node.catchUp()
  node.lags = () => true
  node.interfere = () => undefined
  expect((await checkLedger(first.db)).problems).toEqual([])
})
afterAll(async () => {
  await second.close()
  await first.close()
  node.close()
})

/** Creates a wallet that holds the given base units of the token. */
async function wallet(units: bigint) {
  const account = privateKeyToAccount(hex(randomBytes(32).toString('hex')))
  const hash = await chain
    .as(6)
    .writeContract({ ...token, functionName: 'mint', args: [account.address, units] })
  await chain.client.waitForTransactionReceipt({ hash })
  return account
}
const transactionsOf = async (payer: string) =>
  (
    await sql<{ succeeded: boolean | null }>`
      select succeeded from facilitator.transactions where payer = ${payer.toLowerCase()}`.execute(first.db)
  ).rows
const revertsOf = async (payer: string) =>
  (await transactionsOf(payer)).filter(({ succeeded }) => succeeded === false).length

test('settles one of 30 concurrent payments of a payer with money for one, and sends nothing for the others', async () => {
  const payer = await wallet(AMOUNT)
  const accounts = await Promise.all([first.account(), first.account(), first.account()])
  const bodies = await Promise.all(Array.from({ length: 30 }, () => signedBody({ account: payer })))
  const responses = await Promise.all(
    bodies.map(async (body, index) => {
      const facilitator: TestFacilitator = index % 2 === 0 ? first : second
      const response = await facilitator.post('/settle', body, accounts[index % 3]?.token)
      return { status: response.status, error: response.ok ? '' : (await response.json()).error }
    }),
  )
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(responses.filter(({ error }) => error === 'insufficient_funds')).toHaveLength(29)
  expect(await transactionsOf(payer.address)).toHaveLength(1)
  expect(await revertsOf(payer.address)).toBe(0)
})

test.each([
  { name: 'a payer', settled: 0 },
  { name: 'a payer with many payments in the last minute', settled: 40 },
])(
  'refuses at verify what $name cannot pay beside a payment in flight, and accepts it afterwards',
  async ({ settled }) => {
    const payer = await wallet(AMOUNT * BigInt(settled) + AMOUNT + AMOUNT / 2n)
    const account = await first.account()
    // One after another: concurrent ones count each other until both are mined.
    for (let each = 0; each < settled; each += 1) {
      const response = await first.post('/settle', await signedBody({ account: payer }), account.token)
      expect(response.status).toBe(200)
    }
    await chain.client.setAutomine(false)
    const settling = first.post('/settle', await signedBody({ account: payer }), account.token)
    await vi.waitFor(async () => expect(await transactionsOf(payer.address)).toHaveLength(settled + 1), {
      timeout: 20_000,
    })
    const verify = async (value: bigint) =>
      (await first.post('/x402/verify', await signedBody({ account: payer, value }), account.token)).json()
    expect(await verify(AMOUNT)).toMatchObject({ isValid: false, invalidReason: 'insufficient_funds' })
    expect(await verify(AMOUNT / 2n)).toMatchObject({ isValid: true })
    await chain.client.setAutomine(true)
    await chain.client.mine({ blocks: 1 })
    expect((await settling).status).toBe(200)
    // Mined and settled: the balance reflects it, so it counts once.
    expect(await verify(AMOUNT / 2n)).toMatchObject({ isValid: true })
  },
)

test('settles all payments of a payer who has exactly their sum, one after another', async () => {
  const payer = await wallet(AMOUNT * 6n)
  const account = await first.account()
  for (let each = 0; each < 6; each += 1) {
    const facilitator = each % 2 === 0 ? first : second
    const body = await signedBody({ account: payer })
    expect((await facilitator.post('/settle', body, account.token)).status).toBe(200)
  }
})

test('never refuses concurrent payments of a payer who has twice their sum', async () => {
  const payer = await wallet(AMOUNT * 80n)
  const account = await first.account()
  const bodies = await Promise.all(Array.from({ length: 40 }, () => signedBody({ account: payer })))
  const statuses = await Promise.all(
    bodies.map(async (body, index) => {
      const facilitator = index % 2 === 0 ? first : second
      return (await facilitator.post('/settle', body, account.token)).status
    }),
  )
  expect(statuses).toEqual(statuses.map(() => 200))
})

test('counts a settled payment while a lagging node reports the balance from before it', async () => {
  const payer = await wallet(AMOUNT)
  const account = await first.account()
  const settle = async () => first.post('/settle', await signedBody({ account: payer }), account.token)
  expect((await settle()).status).toBe(200)
  await node.lag(1)
  node.lags = (method) => method === 'eth_call' || method === 'eth_estimateGas'
  const refusal = await settle()
  expect({ status: refusal.status, ...(await refusal.json()) }).toMatchObject({
    status: 400,
    error: 'insufficient_funds',
  })
  expect(await revertsOf(payer.address)).toBe(0)
})

describe('a settled payment whose transaction is not recorded as mined yet', () => {
  /** Settles a payment of the payer, and keeps its receipt from being recorded while `work` runs. */
  async function whileUnrecorded<T>(payer: LocalAccount, key: string, work: () => Promise<T>): Promise<T> {
    await chain.client.setAutomine(false)
    const settling = first.post('/settle', await signedBody({ account: payer }), key)
    await vi.waitFor(async () => expect((await chain.client.getTxpoolStatus()).pending).toBe(1), {
      timeout: 20_000,
    })
    return first.db.transaction().execute(async (trx) => {
      await sql`select from facilitator.transactions where payer = ${payer.address.toLowerCase()} for update`.execute(
        trx,
      )
      await chain.client.mine({ blocks: 1 })
      // The response to a success does not wait for the record.
      expect((await settling).status).toBe(200)
      await chain.client.setAutomine(true)
      return work()
    })
  }

  test('counts while a lagging node reports the balance from before it', async () => {
    const payer = await wallet(AMOUNT)
    const account = await first.account()
    const refusal = await whileUnrecorded(payer, account.token, async () => {
      await node.lag(1)
      node.lags = (method) => method === 'eth_call' || method === 'eth_estimateGas'
      return first.post('/settle', await signedBody({ account: payer }), account.token)
    })
    expect({ status: refusal.status, ...(await refusal.json()) }).toMatchObject({
      status: 400,
      error: 'insufficient_funds',
    })
    expect(await transactionsOf(payer.address)).toHaveLength(1)
  })

  test('a settled payment whose transaction is not recorded as mined yet does not count when the balance reflects it', async () => {
    const payer = await wallet(2n * AMOUNT)
    const account = await first.account()
    const response = await whileUnrecorded(payer, account.token, async () =>
      first.post('/settle', await signedBody({ account: payer }), account.token),
    )
    expect(response.status).toBe(200)
  })

  test('counts until it is mined, if the response did not say in which block', async () => {
    const payer = await wallet(AMOUNT)
    const account = await first.account()
    const refusal = await whileUnrecorded(payer, account.token, async () => {
      await sql`update facilitator.settlements set block_number = null where payer = ${payer.address.toLowerCase()}`.execute(
        first.db,
      )
      await node.lag(1)
      node.lags = (method) => method === 'eth_call' || method === 'eth_estimateGas'
      return first.post('/settle', await signedBody({ account: payer }), account.token)
    })
    expect({ status: refusal.status, ...(await refusal.json()) }).toMatchObject({
      status: 400,
      error: 'insufficient_funds',
    })
  })
})

/** Makes a settle of the payer 3 revert: in the same block, before it, the payer moves its money away. */
async function settleInVain(key: string): Promise<void> {
  const payer = chain.as(3)
  const { address } = payer.account
  const before = (await transactionsOf(address)).length
  await chain.client.setAutomine(false)
  const settling = first.post('/settle', await signedBody({ account: devAccount(3) }), key)
  await vi.waitFor(async () => expect((await transactionsOf(address)).length).toBe(before + 1), {
    timeout: 20_000,
    interval: 20,
  })
  const balance = await chain.client.readContract({ ...token, functionName: 'balanceOf', args: [address] })
  const away = await payer.writeContract({
    ...token,
    functionName: 'transfer',
    args: [devAccount(6).address, balance],
    // All given: an estimate would be of the state after the pending payment.
    gas: 100_000n,
    nonce: await chain.client.getTransactionCount({ address }),
    type: 'eip1559',
    maxPriorityFeePerGas: 10n ** 11n,
    maxFeePerGas: 10n ** 12n,
  })
  await chain.client.mine({ blocks: 1 })
  await chain.client.setAutomine(true)
  expect((await chain.client.getTransactionReceipt({ hash: away })).status).toBe('success')
  expect((await settling).status).not.toBe(200)
  const back = await chain
    .as(6)
    .writeContract({ ...token, functionName: 'transfer', args: [address, balance] })
  await chain.client.waitForTransactionReceipt({ hash: back })
}

test('refuses a payer at verify and settle after three reverts, until the window has passed', async () => {
  const account = await first.account()
  const { address } = devAccount(3)
  for (let reverts = 1; reverts <= 3; reverts += 1) {
    await settleInVain(account.token)
    await vi.waitFor(async () => expect(await revertsOf(address)).toBe(reverts), { timeout: 20_000 })
  }
  // The authorizations that reverted are in flight until they end. The payer has money for them, too.
  const body = await signedBody({ account: devAccount(3) })
  expect(await (await first.post('/x402/verify', body, account.token)).json()).toMatchObject({
    isValid: false,
    invalidReason: 'invalid_transaction_state',
  })
  const refusal = await second.post('/settle', body, account.token)
  expect(refusal.status).toBe(400)
  expect(await refusal.json()).toMatchObject({ error: 'invalid_transaction_state' })
  expect(await listReverts(first.db, DEFAULT_REVERT_LIMITS)).toEqual([
    { kind: 'account', subject: String(account.id), reverts: 3, refused: false },
    { kind: 'payer', subject: address.toLowerCase(), reverts: 3, refused: true },
  ])
  const metrics = await second.metrics()
  expect(metrics).toMatch(/refused_for_reverts\{kind="payer"\} 1\n/)
  const other = await signedBody({ account: await wallet(AMOUNT) })
  expect((await first.post('/settle', other, account.token)).status).toBe(200)

  const { rows } = await sql<{ moved: number }>`
    update facilitator.transactions set created_at = created_at - interval '2 hours'
    where payer = ${address.toLowerCase()} returning 1 as moved`.execute(first.db)
  expect(rows).toHaveLength(3)
  expect((await second.post('/settle', body, account.token)).status).toBe(200)
})

test('refuses an account after as many reverts as its limit, whoever the payer is', async () => {
  const limited = await testFacilitator({
    ...shared,
    signerKeys: [devAccount(4).privateKey],
    env: {
      DATABASE_URL: first.databaseUrl,
      SECRET_KEYS: String(first.env.SECRET_KEYS),
      REVERT_LIMIT_PER_ACCOUNT: '1',
    },
  })
  try {
    const [account, innocent] = await Promise.all([first.account(), first.account()])
    await settleInVain(account.token)
    const body = async () => signedBody({ account: await wallet(AMOUNT) })
    const refused = await limited.post('/settle', await body(), account.token)
    expect(await refused.json()).toMatchObject({ error: 'invalid_transaction_state' })
    expect((await limited.post('/settle', await body(), innocent.token)).status).toBe(200)
    expect((await first.post('/settle', await body(), account.token)).status).toBe(200)
  } finally {
    await limited.close()
  }
})
