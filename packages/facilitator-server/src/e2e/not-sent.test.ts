// Failures between the reservation and the signature: nothing was sent, so the same payment can be settled
// again.

import { devAccount } from '@mintmark/devkit/chain/accounts'
import { devUsdcAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { testChain } from '@mintmark/devkit/chain/testing'
import { startFaultyNode } from '@mintmark/devkit/testing'
import { Client } from 'pg'
import { parseEther } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, afterEach, expect, test } from 'vitest'
import { randomKey } from '../chains/evm/testing.ts'
import { hex, seller, signedBody } from '../engine/testing.ts'
import { checkLedger } from '../ledger/check/check.ts'
import { settlePrice, type TestAccount, testFacilitator } from '../testing.ts'

const chain = await testChain()
const node = await startFaultyNode(chain.rpcUrl)
const payer = devAccount(1)
const signerKey = hex(randomKey())
const signer = privateKeyToAddress(signerKey)
await chain.client.setBalance({ address: signer, value: parseEther('10') })
const facilitator = await testFacilitator({
  chain: { ...chain, rpcUrl: node.url },
  signerKeys: [signerKey],
})

afterEach(async () => {
  node.interfere = () => undefined
  expect((await checkLedger(facilitator.db)).problems).toEqual([])
})
afterAll(async () => {
  await facilitator.close()
  node.close()
})

const headerNotFound = { error: { code: -32000, message: 'header not found' } }
const failSimulation = (response: object) => {
  node.interfere = (method) => (method === 'eth_estimateGas' ? response : undefined)
}
/** The token's `transferWithAuthorization` with a signature in parts. */
const transferSelector = 'e3ee160e'
async function mined(sent: Promise<`0x${string}`>): Promise<void> {
  const { status } = await chain.client.waitForTransactionReceipt({ hash: await sent })
  expect(status).toBe('success')
}
const settle = (body: object, account: TestAccount) => facilitator.post('/settle', body, account.token)
const settlementsOf = async ({ id }: TestAccount) =>
  (await facilitator.settlements()).filter(({ account_id }) => account_id === id)

const thisSecond = () => BigInt(Math.floor(Date.now() / 1000))

async function expectNotSent(response: Response): Promise<void> {
  expect(response.status).toBe(503)
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await response.json()).toEqual({ error: 'SettlementNotSent' })
}

test('responds 503 if the node of the simulation lacks the block, and settles the same body later', async () => {
  const account = await facilitator.account()
  const body = await signedBody({ account: payer })
  failSimulation(headerNotFound)
  await expectNotSent(await settle(body, account))
  expect(await facilitator.available(account)).toBe(100n * settlePrice)
  expect(await settlementsOf(account)).toMatchObject([{ state: 'not_sent', hold: 'released' }])
  node.interfere = () => undefined
  expect((await facilitator.post('/verify', body, account.token)).status).toBe(200)
  expect((await settle(body, account)).status).toBe(200)
  expect(await settlementsOf(account)).toMatchObject([{ state: 'settled', hold: 'captured' }])
  expect(await facilitator.available(account)).toBe(99n * settlePrice)
})

test('the x402 API reports a settle that was not sent in its own format, and a retry settles', async () => {
  const account = await facilitator.account()
  const body = await signedBody({ account: payer })
  failSimulation(headerNotFound)
  const response = await facilitator.post('/x402/settle', body, account.token)
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({
    success: false,
    errorReason: 'unexpected_settle_error',
    transaction: '',
  })
  node.interfere = () => undefined
  const repeat = await facilitator.post('/x402/settle', body, account.token)
  expect(await repeat.json()).toMatchObject({ success: true })
})

test('responds 503 if no signer can pay for the gas, and settles once a signer is funded', async () => {
  // A fast machine settles more than a hundred payments while the balance is cached.
  const account = await facilitator.account({ settles: 10_000 })
  const body = await signedBody({ account: payer })
  const isBalance = (method: string) => method === 'eth_getBalance'
  node.interfere = (method) => (isBalance(method) ? { result: '0x0' } : undefined)
  let response = await settle(body, account)
  // The signer's balance is cached for two seconds, so an earlier test's balance may still count.
  let current = body
  while (response.status === 200) {
    current = await signedBody({ account: payer })
    response = await settle(current, account)
  }
  await expectNotSent(response)
  node.interfere = () => undefined
  let repeat = await settle(current, account)
  while (repeat.status === 503) repeat = await settle(current, account)
  expect(repeat.status).toBe(200)
})

test('responds 503 if the authorization begins in this second, and settles in the next', async () => {
  const account = await facilitator.account({ settles: 10_000 })
  // The token wants a block after validAfter. A settle that ran into the next second is done again.
  let body = await signedBody({ account: payer, validAfter: thisSecond() })
  let response = await settle(body, account)
  while (response.status === 200) {
    body = await signedBody({ account: payer, validAfter: thisSecond() })
    response = await settle(body, account)
  }
  await expectNotSent(response)
  let repeat = await settle(body, account)
  while (repeat.status === 503) repeat = await settle(body, account)
  expect(repeat.status).toBe(200)
})

test('responds 503 if the database refuses to store the transaction, and settles later', async () => {
  const account = await facilitator.account()
  const body = await signedBody({ account: payer })
  const owner = new Client({ connectionString: facilitator.databaseUrl })
  await owner.connect()
  await owner.query(`
    create function facilitator.fail() returns trigger language plpgsql as $$
    begin raise exception 'disk full' using errcode = 'disk_full'; end $$;
    create trigger fails before insert on facilitator.transactions execute function facilitator.fail()`)
  await expectNotSent(await settle(body, account))
  await owner.query('drop trigger fails on facilitator.transactions')
  await owner.end()
  expect(await facilitator.available(account)).toBe(100n * settlePrice)
  expect((await settle(body, account)).status).toBe(200)
  expect(await facilitator.available(account)).toBe(99n * settlePrice)
})

test('a payment that the token rejects in simulation responds with 400, costs nothing, and settles after the payer is funded', async () => {
  const account = await facilitator.account()
  const poor = devAccount(3)
  const body = await signedBody({ account: poor })
  const token = { address: chain.token, abi: devUsdcAbi } as const
  const everything = await chain.client.readContract({
    ...token,
    functionName: 'balanceOf',
    args: [poor.address],
  })
  // Verify reads from a node that has not seen the payer's money leave.
  await node.lag()
  node.lags = (method, params) => method === 'eth_call' && !JSON.stringify(params).includes(transferSelector)
  await mined(
    chain.as(3).writeContract({ ...token, functionName: 'transfer', args: [hex(seller), everything] }),
  )
  const refused = await settle(body, account)
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({ error: 'insufficient_funds' })
  expect(await facilitator.available(account)).toBe(100n * settlePrice)
  expect(await settlementsOf(account)).toMatchObject([{ state: 'not_sent', hold: 'released' }])
  node.catchUp()
  await mined(chain.as(3).writeContract({ ...token, functionName: 'mint', args: [poor.address, everything] }))
  expect((await settle(body, account)).status).toBe(200)
  expect(await facilitator.available(account)).toBe(99n * settlePrice)
})

test('executes and charges a payment that was not sent once for ten concurrent repeats', async () => {
  const account = await facilitator.account()
  const body = await signedBody({ account: payer })
  failSimulation(headerNotFound)
  await expectNotSent(await settle(body, account))
  node.interfere = () => undefined
  const repeats = await Promise.all(Array.from({ length: 10 }, () => settle(body, account)))
  expect(repeats.filter(({ status }) => status === 200)).toHaveLength(1)
  // Delivered already, or still executed.
  expect(repeats.filter(({ status }) => status === 400 || status === 503)).toHaveLength(9)
  expect(await facilitator.available(account)).toBe(99n * settlePrice)
})

test('a payment that was not sent belongs to its account: another account is refused and the first account settles it', async () => {
  const [mine, other] = [await facilitator.account(), await facilitator.account()]
  const body = await signedBody({ account: payer })
  failSimulation(headerNotFound)
  await expectNotSent(await settle(body, mine))
  node.interfere = () => undefined
  const taken = await settle(body, other)
  expect(taken.status).toBe(400)
  expect(await taken.json()).toMatchObject({ error: 'duplicate_settlement' })
  const verified = await facilitator.post('/x402/verify', body, other.token)
  expect(await verified.json()).toMatchObject({ isValid: false, invalidReason: 'duplicate_settlement' })
  expect((await settle(body, mine)).status).toBe(200)
  expect(await facilitator.available(other)).toBe(100n * settlePrice)
})

test('an order that was not sent is listed as such, and as settled after a retry', async () => {
  const account = await facilitator.account()
  const body = await signedBody({ account: payer })
  const orders = async (query: string) => {
    const response = await fetch(`${facilitator.url}/micropayment-orders?${query}`, {
      headers: { authorization: `Bearer ${account.token}` },
    })
    return ((await response.json()) as { list: { orderNo: string; status: string }[] }).list
  }
  failSimulation(headerNotFound)
  await expectNotSent(await settle(body, account))
  const [listed] = await orders('status=not_sent')
  expect(listed).toMatchObject({ status: 'not_sent', upstreamStatus: 503 })
  expect(listed).not.toHaveProperty('settleTime')
  node.interfere = () => undefined
  expect((await settle(body, account)).status).toBe(200)
  expect(await orders('status=not_sent')).toEqual([])
  expect(await orders('status=settled')).toMatchObject([{ orderNo: listed?.orderNo }])
})
