// Every page of a connected facilitator: by the keyboard alone, and at the widths and in the themes that
// people use.

import { devAccount } from '@mintmark/devkit/chain/accounts'
import { expect } from '@playwright/test'
import { signedBody } from '../../facilitator-server/src/engine/testing.ts'
import { testFacilitator } from '../../facilitator-server/src/testing.ts'

import { visit } from './check-page.ts'
import { checkViews } from './check-views.ts'
import { facilitatorTest, OPERATOR_TOKEN } from './facilitator-fixture.ts'
import { findUnvisitedRoutes } from './routes.ts'
import { checkTabOrder } from './tab-order.ts'

/** Nothing listens there, so that every settlement ends without a payment. */
const NO_UPSTREAM = 'http://127.0.0.1:9'
const onUnreadable = {
  account: devAccount(1),
  chainId: 8453,
  name: 'USD Coin',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
}

const test = facilitatorTest((chain) =>
  testFacilitator({
    chain,
    env: {
      OPERATOR_TOKEN,
      UPSTREAM_FACILITATOR_URL: NO_UPSTREAM,
      UPSTREAM_TIMEOUT_MS: '200',
      UNREADABLE_NETWORKS: 'eip155:8453',
    },
  }),
).extend<object, { urls: readonly string[] }>({
  urls: [
    async ({ facilitator, app }, use) => {
      const account = await facilitator.account()
      await facilitator.post('/settle', await signedBody(onUnreadable), account.token)
      const settlement = (await facilitator.settlements()).at(-1)?.id
      const pages = [
        ...['health', 'accounts', `accounts/${account.id}`, 'settlements', `settlements/${settlement}`],
        ...['channels', 'grants', 'reverts', 'ledger'],
      ]
      await use(pages.map((page) => `${app.url}/console/operator/facilitator/${page}`))
    },
    { scope: 'worker' },
  ],
})

test.describe('every page of a facilitator', () => {
  test('is visited by these tests', async ({ urls }) => {
    const missing = await findUnvisitedRoutes(urls)
    expect(missing.filter((route) => route.startsWith('/operator/facilitator/'))).toEqual([])
  })

  test('is reached and left by Tab alone, is accessible and fits', async ({ app, urls }) => {
    const page = await app.openAsOperator()
    for (const url of urls) {
      await visit(page, url)
      await checkTabOrder(page)
      await checkViews(page, `every ${new URL(url).pathname.replace('/console/operator/', '')}`)
    }
  })
})
