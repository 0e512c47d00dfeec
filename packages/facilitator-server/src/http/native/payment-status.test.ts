import { devAccount } from '@mintmark/devkit/chain/accounts'
import { testChain } from '@mintmark/devkit/chain/testing'
import { payments } from '@mintmark/facilitator'
import { afterAll, expect, test } from 'vitest'
import { signedBody } from '../../engine/testing.ts'
import { paymentInput, type TestAccount, testFacilitator } from '../../testing.ts'

const chain = await testChain()
const facilitator = await testFacilitator({ chain, signerKeys: [devAccount(9).privateKey] })
afterAll(() => facilitator.close())

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
  const before = await payments.get(client, { transaction })
  await chain.client.mine({ blocks: 5 })
  const after = await payments.get(client, { transaction })
  expect(Number(after.confirmations) - Number(before.confirmations)).toBeGreaterThanOrEqual(5)
  await facilitator.db.updateTable('facilitator.settlements').set({ lease_until: new Date() }).execute()
  await facilitator.runJobs()
  expect(await payments.get(client, { transaction })).toMatchObject({ state: 'settled', isFinal: true })
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
