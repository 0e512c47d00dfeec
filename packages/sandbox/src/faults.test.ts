import { once } from 'node:events'
import { request } from 'node:http'
import { promoCodeCards } from '@mintmark/cards'
import { accountClient, devUsdcAbi } from '@mintmark/devkit'
import { isMintmarkError } from '@mintmark/envelope'
import { eventWebhooks } from '@mintmark/events'
import { micropaymentOrders, payments } from '@mintmark/facilitator'
import { createFacilitator } from '@mintmark/transport'
import { createPublicClient, getAddress, http } from 'viem'
import { afterAll, beforeEach, expect, it, vi } from 'vitest'
import { startSandbox } from './sandbox.ts'

// Blocks that the tests replace are not final.
const sandbox = await startSandbox({ env: { FINALITY: '10' } })
afterAll(() => sandbox.stop())
beforeEach(() => sandbox.reset())

const { facilitator, gateway, accounts, faults, chain, webhooks } = sandbox
const evm = createPublicClient({ transport: http(chain.rpcUrl), cacheTime: 0 })
const payTo = accounts.others[0]?.address ?? ''
const sign = () => sandbox.signPayment({ payTo })
const getKind = async (call: Promise<unknown>) => {
  const error: unknown = await call.catch((caught: unknown) => caught)
  return isMintmarkError(error) ? error.kind : error
}

it('refuses to wait for a type of event that does not exist', async () => {
  // @ts-expect-error there is no such type
  await expect(webhooks.waitFor('order.payed')).rejects.toThrow(
    /There are no events of the type order\.payed\. Choose .*order\.paid/,
  )
})

it('sandbox.faults refuses the name of a fault that does not exist', () => {
  // @ts-expect-error there is no such fault
  expect(() => faults.facilitator('boom')).toThrow(
    'There is no fault boom. Choose timeout, unavailable, lost-answer',
  )
})

it('sandbox.faults refuses the name of a fault of the chain that does not exist', async () => {
  // @ts-expect-error there is no such fault
  await expect(faults.chain('boom')).rejects.toThrow('There is no fault boom. Choose slow-chain, late-block')
})

it.each([
  ['chain.mine', () => chain.mine()],
  ['faults.clear', () => faults.clear()],
])('the fault late-block leaves a payment pending until %s, and it is paid once', async (_, mine) => {
  await faults.chain('late-block')
  const payment = await sign()
  const settling = payments.settle(facilitator, payment)
  const listPending = async () => (await evm.getBlock({ blockTag: 'pending' })).transactions
  await expect.poll(listPending).toHaveLength(1)
  const [hash = '0x'] = await listPending()
  await expect(evm.getTransactionReceipt({ hash })).rejects.toThrow('could not be found')
  await mine()
  expect(await settling).toMatchObject({ success: true, transaction: hash })
  const { list } = await micropaymentOrders.list(facilitator, { payer: accounts.payer.address })
  expect(list).toHaveLength(1)
})

it('the fault slow-chain mines a payment only with the next block, up to twelve seconds later; then blocks come as before', async () => {
  await faults.chain('slow-chain')
  const before = await evm.getBlockNumber()
  expect(await payments.settle(facilitator, await sign())).toMatchObject({ success: true })
  expect(await evm.getBlockNumber()).toBeLessThanOrEqual(before + 2n)
  await faults.clear()
  const cleared = await evm.getBlockNumber()
  await expect.poll(() => evm.getBlockNumber()).toBeGreaterThan(cleared)
})

it('the fault unavailable fails calls before they are executed', async () => {
  faults.facilitator('unavailable')
  const payment = await sign()
  expect(await getKind(payments.settle(facilitator, payment))).toBe('Server')
  await faults.clear()
  expect(await payments.settle(facilitator, payment)).toMatchObject({ success: true })
})

it('the fault lost-answer executes the payment once, though its caller does not learn so', async () => {
  faults.facilitator('lost-answer')
  const payment = await sign()
  const idempotencyKey = 'payment 1'
  expect(await getKind(payments.settle(facilitator, payment, { idempotencyKey }))).toBe('UnknownOutcome')
  await faults.clear()
  const { list } = await micropaymentOrders.list(facilitator, { payer: accounts.payer.address })
  expect(list).toHaveLength(1)
  const repeated = await payments.settle(facilitator, payment, { idempotencyKey })
  expect(repeated).toMatchObject({ success: true, transaction: list[0]?.transaction })
})

it('the fault timeout delays calls until their caller gives up, or until the fault is cleared', async () => {
  faults.facilitator('timeout')
  const { baseUrl, token } = sandbox.credentials.facilitator
  const impatient = createFacilitator({ baseUrl, credentials: { token }, timeout: 200 })
  const payment = await sign()
  expect(await getKind(payments.settle(impatient, payment))).toBe('UnknownOutcome')
  // The server continues a request when it has received its headers.
  const waiting = request(`${baseUrl}/health`, { method: 'POST', headers: { expect: '100-continue' } })
  waiting.flushHeaders()
  await once(waiting, 'continue')
  const failed = new Promise((resolve) => waiting.once('error', resolve))
  await faults.clear()
  expect(await failed).toMatchObject({ code: 'ECONNRESET' })
  expect(await payments.settle(facilitator, payment)).toMatchObject({ success: true })
})

const client = accountClient(chain.rpcUrl, accounts.buyer)
const getTokens = () =>
  client.readContract({
    address: getAddress(chain.token),
    abi: devUsdcAbi,
    functionName: 'balanceOf',
    args: [getAddress(payTo)],
  })

it('sandbox.chain.mine adds blocks', async () => {
  const before = await client.getBlockNumber()
  await chain.mine(5)
  expect(await client.getBlockNumber()).toBeGreaterThanOrEqual(before + 5n)
})

it('sandbox.chain.reorg replaces blocks, and the facilitator executes the payment again', async () => {
  const tokens = await getTokens()
  const settlement = await payments.settle(facilitator, await sign())
  const { blockHash } = await client.getTransactionReceipt({
    hash: settlement?.transaction as `0x${string}`,
  })
  await chain.reorg(3)
  await expect(client.getBlock({ blockHash })).rejects.toThrow('not be found')
  await vi.waitFor(
    async () => {
      await sandbox.runJobs()
      expect(await getTokens()).toBe(tokens + 10_000n)
    },
    { timeout: 170_000 },
  )
})

const createCard = () =>
  promoCodeCards.create(gateway, {
    name: 'Opening night',
    nftAddress: '0x00000000000000000000000000000000000000aa',
    startTime: '2026-01-01T00:00:00Z',
    endTime: '2099-01-01T00:00:00Z',
    totalIssued: 1,
  })

it('sandbox.webhooks receives the events of both servers, with the type of their data', async () => {
  const { id } = await createCard()
  const settlement = await payments.settle(facilitator, await sign())
  const created = await webhooks.waitFor('card.created')
  expect(created.data.card.id).toBe(id)
  const settled = await webhooks.waitFor('settlement.settled')
  expect(settled.data.transaction).toBe(settlement?.transaction)
  expect(webhooks.received()).toHaveLength(2)
})

it('sandbox.webhooks says what it received instead of the expected type', async () => {
  await createCard()
  await webhooks.waitFor('card.created')
  await expect(webhooks.waitFor('order.paid', { timeout: 1 })).rejects.toThrow(
    'No webhook of the type order.paid was received. Received: card.created',
  )
})

it('sandbox.webhooks refuses messages that no known secret has signed', async () => {
  const response = await fetch(webhooks.url, {
    method: 'POST',
    body: '{"type":"card.created","data":{}}',
    headers: { 'webhook-id': 'evt_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AAAA' },
  })
  expect(response.status).toBe(400)
  expect(webhooks.received()).toEqual([])
})

it.each(['', 'whsec_', 'whsec_%', 'whsec_A'])(
  'sandbox.webhooks refuses to trust the secret "%s", and receives other messages',
  async (secret) => {
    const message = 'The webhook secret is empty or malformed'
    const trust = async () => webhooks.trust(secret)
    const error: unknown = await trust().catch((caught: unknown) => caught)
    await createCard()
    expect((await webhooks.waitFor('card.created')).data.card).toMatchObject({ name: 'Opening night' })
    expect(String(error)).toContain(message)
  },
)

it('sandbox.webhooks accepts the webhook of a program whose secret it trusts', async () => {
  const { secret } = await eventWebhooks.configure(gateway, { url: webhooks.url, events: ['card.created'] })
  webhooks.trust(secret ?? '')
  await createCard()
  await vi.waitFor(() => expect(webhooks.received()).toHaveLength(2), { timeout: 170_000 })
})
