import { devAccount } from '@mintmark/devkit/chain/accounts'
import { devUsdcAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { permit2Address } from '@mintmark/devkit/chain/chain'
import { testChain } from '@mintmark/devkit/chain/testing'
import { startFaultyNode } from '@mintmark/devkit/testing'
import { payments } from '@mintmark/facilitator'
import { sql } from 'kysely'
import { maxUint256 } from 'viem'
import { afterAll, expect, test } from 'vitest'
import { seller, signedBody, signedPermit2Body } from '../../engine/testing.ts'
import { paymentInput, type TestAccount, testFacilitator } from '../../testing.ts'

const chain = await testChain()
const node = await startFaultyNode(chain.rpcUrl)
const facilitator = await testFacilitator({
  chain,
  signerKeys: [devAccount(9).privateKey],
  env: { CHAINS: `84532=${node.url}` },
})
afterAll(async () => {
  await facilitator.close()
  node.close()
})

const payer = devAccount(1)
const IDENTIFIER = 'pay_0123456789abcdef'

/** Settles a payment with an identifier. */
async function settle(account: TestAccount) {
  const client = facilitator.client(account)
  const body = await signedBody({ account: payer })
  const { nonce } = (body.paymentPayload.payload as { authorization: { nonce: string } }).authorization
  const info = { required: false, id: IDENTIFIER }
  const paymentPayload = { ...body.paymentPayload, extensions: { 'payment-identifier': { info } } }
  const settlement = await payments.settle(client, paymentInput({ ...body, paymentPayload }))
  return { client, nonce, transaction: settlement?.transaction ?? '' }
}

test('the status of a payment is found by its transaction, its identifier, and its nonce', async () => {
  const { client, nonce, transaction } = await settle(await facilitator.account())
  const status = await payments.get(client, { transaction })
  expect(status).toEqual({
    orderNo: expect.stringMatching(/^MP[0-9A-Z]+$/),
    state: 'settled',
    network: 'eip155:84532',
    payer: payer.address.toLowerCase(),
    nonce: nonce.toLowerCase(),
    transaction,
    confirmations: expect.any(Number),
    finality: '3',
    isFinal: false,
    isCharged: true,
    isDelivered: true,
    createTime: expect.any(String),
    settleTime: expect.any(String),
  })
  const { confirmations: _, ...stable } = status
  expect(await payments.get(client, { identifier: IDENTIFIER })).toMatchObject(stable)
  expect(await payments.get(client, { identifier: IDENTIFIER, payer: payer.address })).toMatchObject(stable)
  const key = { network: 'eip155:84532', payer: payer.address, nonce }
  expect(await payments.get(client, key)).toMatchObject(stable)
})

test('the confirmations of a payment increase until it is final', async () => {
  const { client, transaction } = await settle(await facilitator.account())
  await facilitator.runJobs()
  const before = await payments.get(client, { transaction })
  await chain.client.mine({ blocks: 5 })
  await facilitator.runJobs()
  const after = await payments.get(client, { transaction })
  expect(Number(after.confirmations) - Number(before.confirmations)).toBeGreaterThanOrEqual(5)
  await facilitator.db.updateTable('facilitator.settlements').set({ lease_until: new Date() }).execute()
  await facilitator.runJobs()
  expect(await payments.get(client, { transaction })).toMatchObject({ state: 'settled', isFinal: true })
})

test('each payment of a nonce is found by the contract that keeps it', async () => {
  const account = await facilitator.account()
  const { client, nonce, transaction } = await settle(account)
  const key = { network: 'eip155:84532', payer: payer.address, nonce }
  await expect(payments.get(client, { ...key, contract: permit2Address })).rejects.toMatchObject({
    kind: 'NotFound',
  })
  expect(await payments.get(client, { ...key, contract: chain.token })).toMatchObject({ transaction })
  await chain.confirm(
    chain.client.writeContract({
      account: payer,
      address: chain.token,
      abi: devUsdcAbi,
      functionName: 'approve',
      args: [permit2Address, maxUint256],
    }),
  )
  const validBefore = BigInt(Math.floor(Date.now() / 1000) + 600)
  const second = await payments.settle(
    client,
    paymentInput(await signedPermit2Body({ account: payer, to: seller, value: 10_000n, nonce, validBefore })),
  )
  await expect(payments.get(client, key)).rejects.toMatchObject({ issues: [{ path: 'contract' }] })
  expect(await payments.get(client, { ...key, contract: permit2Address })).toMatchObject({
    transaction: second?.transaction,
  })
  expect(await payments.get(client, { ...key, contract: chain.token })).toMatchObject({ transaction })
})

test('a transaction of several payments of the account does not tell which of them is meant', async () => {
  const account = await facilitator.account()
  await sql`update facilitator.accounts set batch_delay_ms = 500 where id = ${account.id}`.execute(
    facilitator.db,
  )
  const payers = [devAccount(2), devAccount(3)]
  const [one, other] = await Promise.all(
    payers.map(async (each) =>
      payments.settle(facilitator.client(account), paymentInput(await signedBody({ account: each }))),
    ),
  )
  expect(one?.transaction).toBe(other?.transaction)
  const client = facilitator.client(account)
  const transaction = one?.transaction ?? ''
  await expect(payments.get(client, { transaction })).rejects.toMatchObject({
    issues: [{ path: 'transaction' }],
  })
  for (const { address } of payers)
    expect(await payments.get(client, { transaction, payer: address })).toMatchObject({
      payer: address.toLowerCase(),
    })
})

test('the status of a payment has its confirmations while no node responds', async () => {
  const { client, transaction } = await settle(await facilitator.account())
  await facilitator.runJobs()
  node.isSilent = true
  try {
    const status = await payments.get(client, { transaction })
    expect(status).toMatchObject({ state: 'settled', confirmations: expect.any(Number) })
  } finally {
    node.isSilent = false
  }
})

test('no other account reads the status of a payment', async () => {
  const { nonce, transaction } = await settle(await facilitator.account())
  const stranger = facilitator.client(await facilitator.account())
  const key = { network: 'eip155:84532', payer: payer.address, nonce }
  for (const id of [{ transaction }, { identifier: IDENTIFIER }, key])
    await expect(payments.get(stranger, id)).rejects.toMatchObject({ kind: 'NotFound' })
  await expect(payments.get(facilitator.client(), { transaction })).rejects.toMatchObject({ status: 401 })
})

test.each([
  ['nothing', {}, 'transaction'],
  ['a nonce without a payer', { network: 'eip155:84532', nonce: `0x${'1'.repeat(64)}` }, 'transaction'],
  ['a malformed nonce', { network: 'eip155:84532', payer: payer.address, nonce: '0x12' }, 'nonce'],
])('a status by %s is refused by naming the field', async (_name, input, path) => {
  const client = facilitator.client(await facilitator.account())
  await expect(payments.get(client, input)).rejects.toMatchObject({ issues: [{ path }] })
})

test('both lists of what is supported say when blocks are final', async () => {
  const client = facilitator.client(await facilitator.account())
  expect((await payments.supported(client)).finality).toEqual({ 'eip155:84532': '3' })
  const response = await fetch(`${facilitator.url}/x402/supported`)
  expect(await response.json()).toMatchObject({ finality: { 'eip155:84532': '3' } })
})
