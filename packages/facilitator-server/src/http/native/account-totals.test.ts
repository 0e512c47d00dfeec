import { devAccount } from '@mintmark/devkit/chain/accounts'
import { testChain } from '@mintmark/devkit/chain/testing'
import { accountTotals, micropaymentOrders, payments } from '@mintmark/facilitator'
import { afterAll, expect, test } from 'vitest'
import { signedBody } from '../../engine/testing.ts'
import { paymentInput, settlePrice, testFacilitator } from '../../testing.ts'

const chain = await testChain()
const facilitator = await testFacilitator({ chain, signerKeys: [devAccount(9).privateKey] })
afterAll(() => facilitator.close())

test('an account sees what settled, what was paid in each asset, and what it was charged, and nothing of other accounts', async () => {
  const account = await facilitator.account({ settles: 10, quota: 5 })
  const client = facilitator.client(account)
  for (const value of [10_000n, 25_000n])
    await payments.settle(client, paymentInput(await signedBody({ account: devAccount(1), value })))
  const totals = await accountTotals.get(client, { days: 2 })
  const [network, asset] = ['eip155:84532', chain.token.toLowerCase()]
  const [order] = (await micropaymentOrders.list(client)).list
  const index = totals.days.indexOf(order?.createTime.slice(0, 10) ?? '')
  const onDay = <Value>(value: Value, none: Value) => [0, 1].map((day) => (day === index ? value : none))
  expect(totals).toEqual({
    payer: account.payer,
    balance: `${settlePrice * 8n}`,
    quotaRemaining: `${settlePrice * 3n}`,
    settlePrice: `${settlePrice}`,
    settlesLeft: 3,
    isFrozen: false,
    days: [expect.stringMatching(/^\d{4}-\d\d-\d\d$/), expect.stringMatching(/^\d{4}-\d\d-\d\d$/)],
    settled: onDay(2, 0),
    failed: [0, 0],
    unresolved: [0, 0],
    charged: onDay(`${settlePrice * 2n}`, '0'),
    assets: [
      {
        network,
        asset,
        settled: 2,
        total: '35000',
        unresolved: 0,
        unresolvedTotal: '0',
        refunded: '0',
        amounts: onDay('35000', '0'),
      },
    ],
    resources: [{ resource: '', settled: 2, total: '35000', network, asset }],
    networks: [{ network, settled: 2, failed: 0, unresolved: 0, charged: `${settlePrice * 2n}` }],
  })
  const stranger = facilitator.client(await facilitator.account())
  expect(await accountTotals.get(stranger)).toMatchObject({
    days: expect.any(Array),
    settled: Array(30).fill(0),
    failed: Array(30).fill(0),
    unresolved: Array(30).fill(0),
    charged: Array(30).fill('0'),
    assets: [],
    resources: [],
    networks: [],
  })
  await expect(accountTotals.get(facilitator.client())).rejects.toMatchObject({ status: 401 })
})

test.each(['days=0', 'days=367', 'days=1.5', 'days=week', 'timeZone=Europe/Berlin'])(
  'totals by %s respond with 400 and the name of the field',
  async (query) => {
    const { token } = await facilitator.account()
    const response = await fetch(`${facilitator.url}/account-totals?${query}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      error: 'InvalidInput',
      issues: [{ path: query.split('=')[0] }],
    })
  },
)
