import { devAccount } from '@mintmark/devkit/chain/accounts'
import { testChain } from '@mintmark/devkit/chain/testing'
import { isMintmarkError } from '@mintmark/envelope'
import { micropaymentOrders, payments } from '@mintmark/facilitator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seller, signedBody } from '../../engine/testing.ts'
import { paymentInput, settlePrice, type TestAccount, testFacilitator } from '../../testing.ts'

const chain = await testChain()
const facilitator = await testFacilitator({ chain, signerKeys: [devAccount(9).privateKey] })
afterAll(() => facilitator.close())

const [one, two] = [devAccount(1), devAccount(2)]
let account: TestAccount
beforeAll(async () => {
  account = await facilitator.account()
  const client = facilitator.client(account)
  for (const payer of [one, one, two, one, two]) {
    await payments.settle(client, paymentInput(await signedBody({ account: payer })))
  }
})

test('every settle is an order, newest first, with what became of it', async () => {
  const client = facilitator.client(account)
  const page = await micropaymentOrders.list(client)
  expect(page).toMatchObject({ totalRow: 5, pageNumber: 1, firstPage: true, lastPage: true })
  const [newest] = page.list
  expect(newest).toEqual({
    orderNo: expect.stringMatching(/^MP[0-9A-Z]+$/),
    payer: two.address.toLowerCase(),
    account: account.payer,
    status: 'settled',
    resource: '',
    price: `${settlePrice}`,
    network: 'eip155:84532',
    scheme: 'exact',
    asset: chain.token.toLowerCase(),
    payTo: seller.toLowerCase(),
    amount: '10000',
    refunded: '0',
    transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    upstreamStatus: 200,
    createTime: expect.any(String),
    settleTime: expect.any(String),
  })
  const times = page.list.map(({ createTime }) => createTime)
  expect(times).toEqual([...times].sort().reverse())
  expect(await micropaymentOrders.get(client, { orderNo: newest?.orderNo ?? '' })).toEqual(newest)
})

test('orders are listed by status, payer and time, and in pages', async () => {
  const client = facilitator.client(account)
  const count = async (filter: Parameters<typeof micropaymentOrders.list>[1]) =>
    (await micropaymentOrders.list(client, filter)).totalRow
  expect(await count({ status: 'settled' })).toBe(5)
  expect(await count({ status: 'unknown' })).toBe(0)
  expect(await count({ payer: one.address })).toBe(3)
  expect(await count({ payer: two.address.toLowerCase(), status: 'settled' })).toBe(2)
  const all = await micropaymentOrders.list(client, { orderBy: 'createTime' })
  const third = all.list[2]?.createTime ?? ''
  expect(await count({ from: third })).toBe(3)
  expect(await count({ to: third })).toBe(2)
  const numbers: string[] = []
  for await (const order of micropaymentOrders.list.items(client, { pageSize: 2 }))
    numbers.push(order.orderNo)
  expect(numbers).toEqual(all.list.map(({ orderNo }) => orderNo).reverse())
})

test('a time without a zone is refused with both forms of one', async () => {
  const orders = micropaymentOrders.list(facilitator.client(account), { from: '2026-01-31T18:00:00' })
  const message = expect.stringMatching(/2026-01-31T18:00:00Z .* 2026-01-31T20:00:00\+02:00/)
  await expect(orders).rejects.toMatchObject({ issues: [{ path: 'from', message }] })
})

test.each(['2026-02-30T00:00:00Z', '0000-01-01T00:00:00Z'])('the time %s is refused', async (from) => {
  const orders = micropaymentOrders.list(facilitator.client(account), { from })
  await expect(orders).rejects.toMatchObject({ issues: [{ path: 'from' }] })
})

test('another account sees none of them', async () => {
  const [order] = (await micropaymentOrders.list(facilitator.client(account))).list
  const stranger = facilitator.client(await facilitator.account())
  expect((await micropaymentOrders.list(stranger)).totalRow).toBe(0)
  const reading = micropaymentOrders.get(stranger, { orderNo: order?.orderNo ?? '' })
  await expect(reading).rejects.toSatisfy((error) => isMintmarkError(error) && error.kind === 'NotFound')
  await expect(micropaymentOrders.list(facilitator.client())).rejects.toMatchObject({ status: 401 })
})

test.each([
  ['status=paid', 'status'],
  ['payer=0x12', 'payer'],
  ['from=yesterday', 'from'],
  ['pageNumber=0', 'pageNumber'],
  ['orderBy=amount', 'orderBy'],
  ['cursor=abc', 'cursor'],
  ['surprise=1', 'surprise'],
])('a list by %s responds with 400 and the name of the field', async (query, field) => {
  const response = await fetch(`${facilitator.url}/micropayment-orders?${query}`, {
    headers: { authorization: `Bearer ${account.token}` },
  })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: 'InvalidInput', issues: [{ path: field }] })
})
