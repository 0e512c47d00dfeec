// What the holder of a facilitator's account sees of its own business, on the page that the facilitator serves.
import { randomUUID } from 'node:crypto'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { type TestChain, testChain } from '@mintmark/devkit/chain/testing'
import { payments, webhooks } from '@mintmark/facilitator'
import { type Browser, expect, type Page } from '@playwright/test'
import { signedBody } from '../../facilitator-server/src/engine/testing.ts'
import {
  paymentInput,
  type TestAccount,
  type TestFacilitator,
  testFacilitator,
} from '../../facilitator-server/src/testing.ts'
import { toContextOptions } from './browser.ts'
import { listProblems, waitForPage } from './check-page.ts'
import { checkViews } from './check-views.ts'
import { baseTest, perFile } from './console-test.ts'
import { checkTabOrder } from './tab-order.ts'

const IDENTIFIER = 'order_of_the_weather_7'

interface AccountFixtures {
  readonly chain: TestChain
  readonly facilitator: TestFacilitator
  /** Has three payments for two resources. */
  readonly account: TestAccount
}

const test = baseTest.extend<object, AccountFixtures>({
  chain: perFile(() => testChain()),
  facilitator: [
    async ({ chain }, use) => {
      const facilitator = await testFacilitator({ chain, signerKeys: [devAccount(9).privateKey] })
      await use(facilitator)
      await facilitator.close()
    },
    { scope: 'worker' },
  ],
  account: [
    async ({ facilitator }, use) => {
      const account = await facilitator.account({ settles: 20 })
      const shop = 'https://api.shop.example'
      await settle(facilitator, account, `${shop}/weather/berlin?token=secret`, 10_000n)
      await settle(facilitator, account, `${shop}/weather/berlin`, 20_000n)
      await settle(facilitator, account, `${shop}/translate`, 500_000n)
      await use(account)
    },
    { scope: 'worker' },
  ],
})

/** Settles a payment for a resource, and returns its transaction. */
async function settle(
  facilitator: TestFacilitator,
  by: TestAccount,
  url: string,
  value: bigint,
): Promise<string> {
  const body = await signedBody({ account: devAccount(1), value })
  const info = { required: false, id: `${IDENTIFIER}_${value}` }
  const paymentPayload = {
    ...body.paymentPayload,
    resource: { url },
    extensions: { 'payment-identifier': { info, schema: {} } },
  }
  const settlement = await payments.settle(facilitator.client(by), paymentInput({ ...body, paymentPayload }))
  return settlement?.transaction ?? ''
}

async function openPage(browser: Browser, facilitator: TestFacilitator): Promise<Page> {
  const page = await (await browser.newContext(toContextOptions({}))).newPage()
  await page.goto(`${facilitator.url}/account`)
  return page
}

async function enterKey(page: Page, token: string): Promise<void> {
  await page.getByLabel('Key of the account').fill(token)
  await page.getByRole('button', { name: 'Open the account' }).click()
}

const getHeading = (page: Page) => page.getByRole('heading', { name: 'Your account', level: 1 })
const getFigure = (page: Page, label: string) =>
  page.locator('.figure', { hasText: label }).locator('.figure-value')

async function openAccount(browser: Browser, facilitator: TestFacilitator, of: TestAccount): Promise<Page> {
  const page = await openPage(browser, facilitator)
  await enterKey(page, of.token)
  await expect(getHeading(page)).toBeVisible()
  await waitForPage(page)
  return page
}

test.describe('the page of an account', () => {
  test('opens with its key only, keeps it for the tab, and forgets it', async ({
    browser,
    facilitator,
    account,
  }) => {
    const page = await openPage(browser, facilitator)
    await checkViews(page, 'account key')
    await enterKey(page, `mm_${'x'.repeat(43)}`)
    await expect(page.getByText('The facilitator does not know this key')).toBeVisible()
    await enterKey(page, account.token)
    await expect(getHeading(page)).toBeVisible()
    await page.reload()
    await expect(getHeading(page)).toBeVisible()
    expect(await page.evaluate(() => ({ ...localStorage }))).toEqual({})
    const other = await page.context().newPage()
    await other.goto(`${facilitator.url}/account`)
    await expect(other.getByLabel('Key of the account')).toBeVisible()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(page.getByLabel('Key of the account')).toBeVisible()
    await page.reload()
    await expect(page.getByLabel('Key of the account')).toBeVisible()
    expect(await listProblems(page)).toEqual([])
  })

  test('shows what it earns by resource and chain, and how to top up', async ({
    browser,
    facilitator,
    account,
    chain,
  }) => {
    const page = await openAccount(browser, facilitator, account)
    await expect(getFigure(page, 'Settles left')).toHaveText('17')
    await expect(getFigure(page, 'Payments')).toHaveText('3')
    await expect(getFigure(page, 'Revenue in')).toContainText('0.53')
    await expect(page.getByText('39 days at the rate of the last week')).toBeVisible()
    const resources = page.getByRole('table', { name: 'Revenue by resource' }).locator('tbody tr')
    expect(await resources.allTextContents()).toEqual([
      expect.stringMatching(/^https:\/\/api\.shop\.example\/translate1.*0\.5/),
      expect.stringMatching(/^https:\/\/api\.shop\.example\/weather\/berlin2.*0\.03/),
    ])
    const chains = page.getByRole('table', { name: 'Payments by chain' })
    expect(await chains.locator('tbody tr').allTextContents()).toEqual([
      expect.stringContaining('Base Sepolia3'),
    ])
    await expect(page.getByText(chain.treasury, { exact: false }).first()).toBeVisible()
    await expect(page.getByRole('img', { name: 'QR code of the address to send to' })).toBeVisible()
    await checkTabOrder(page)
    await checkViews(page, 'account of a facilitator')
    await page.getByText('90 days').click()
    await expect(page.getByRole('heading', { name: 'Last 90 days' })).toBeVisible()
  })

  test('finds a payment by its identifier and its transaction', async ({ browser, facilitator, account }) => {
    const transaction = await settle(facilitator, account, 'https://api.shop.example/found', 1_234n)
    const page = await openAccount(browser, facilitator, account)
    for (const reference of [`${IDENTIFIER}_1234`, transaction]) {
      await page.getByRole('button', { name: 'Find a payment' }).click()
      const search = page.getByRole('dialog', { name: 'Find a payment' })
      await search.getByLabel('Transaction or payment identifier').fill(reference)
      await search.getByRole('button', { name: 'Find', exact: true }).click()
      const found = page.getByRole('dialog', { name: 'Payment', exact: true })
      await expect(found.getByText('https://api.shop.example/found')).toBeVisible()
      await expect(found.getByText('The success was returned')).toBeVisible()
      await checkViews(page, 'account payment')
      await page.keyboard.press('Escape')
      await expect(found).toHaveCount(0)
    }
  })

  test('shows unresolved payments with what to do', async ({ browser, facilitator }) => {
    const seller = await facilitator.account({ settles: 1 })
    await settle(facilitator, seller, 'https://api.shop.example/lost', 77n)
    const leaseUntil = new Date(Date.now() + 3_600_000)
    await facilitator.db
      .updateTable('facilitator.settlements')
      .set({
        state: 'unknown',
        ended_at: null,
        final_at: null,
        lease_until: leaseUntil,
        attempt: randomUUID(),
      })
      .where('account_id', '=', seller.id)
      .execute()
    const page = await openAccount(browser, facilitator, seller)
    const unresolved = page.getByRole('table', { name: 'Unresolved payments' })
    await expect(unresolved.getByText('https://api.shop.example/lost')).toBeVisible()
    await expect(page.getByText('do not ask for another payment').first()).toBeVisible()
    await expect(page.getByText('The balance is used up')).toBeVisible()
    await checkViews(page, 'account unresolved')
  })

  test('shows nothing of another account', async ({ browser, facilitator }) => {
    const stranger = await facilitator.account({ settles: 5, quota: 0 })
    const page = await openAccount(browser, facilitator, stranger)
    await expect(getFigure(page, 'Payments')).toHaveText('0')
    await expect(page.getByText('No payments yet')).toBeVisible()
    await expect(page.getByText('Sign a quota with your wallet')).toBeVisible()
    expect(await page.locator('main').textContent()).not.toContain('api.shop.example')
    await page.getByRole('button', { name: 'Find a payment' }).click()
    const search = page.getByRole('dialog', { name: 'Find a payment' })
    await search.getByLabel('Transaction or payment identifier').fill(`${IDENTIFIER}_10000`)
    await search.getByRole('button', { name: 'Find', exact: true }).click()
    await expect(search.getByRole('alert')).toBeVisible()
    await checkViews(page, 'account of a stranger')
  })

  test('creates a webhook, shows its secret once, and removes it', async ({ browser, facilitator }) => {
    const seller = await facilitator.account()
    const page = await openAccount(browser, facilitator, seller)
    await page.getByRole('button', { name: 'Create webhook' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create webhook' })
    await dialog.getByLabel('Address').fill('https://127.0.0.1:9/hook')
    await dialog.getByRole('button', { name: 'Create webhook' }).click()
    const secret = page.getByRole('dialog', { name: 'The signing secret' })
    await expect(secret.getByText(/^whsec_/)).toBeVisible()
    await secret.getByRole('button', { name: 'Done' }).click()
    const table = page.getByRole('table', { name: 'Webhooks' })
    await expect(table.getByText('https://127.0.0.1:9/hook')).toBeVisible()
    await checkViews(page, 'account webhooks')
    await table.getByRole('button', { name: 'Actions for https://127.0.0.1:9/hook' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page
      .getByRole('alertdialog')
      .or(page.getByRole('dialog'))
      .getByRole('button', { name: 'Remove' })
      .click()
    await expect(page.getByText('No webhooks yet')).toBeVisible()
    expect(await webhooks.list(facilitator.client(seller))).toEqual([])
  })
})
