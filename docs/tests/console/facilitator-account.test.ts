// What the holder of a facilitator's account sees of its own business, on the page that the facilitator serves.
import { randomUUID } from 'node:crypto'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { testChain } from '@mintmark/devkit/chain/testing'
import { payments, webhooks } from '@mintmark/facilitator'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signedBody } from '../../../packages/facilitator-server/src/engine/testing.ts'
import {
  paymentInput,
  type TestAccount,
  type TestFacilitator,
  testFacilitator,
} from '../../../packages/facilitator-server/src/testing.ts'
import { buildConsole } from '../../../tools/build/console.ts'
import { repositoryRoot } from '../../../tools/workspace.ts'
import { hasBrowser, launchBrowser, openTab, type Tab, toContextOptions } from './browser.ts'
import { waitForPage } from './check-page.ts'
import { checkViews } from './check-views.ts'
import { checkTabOrder } from './tab-order.ts'

const IDENTIFIER = 'order_of_the_weather_7'

describe.skipIf(!hasBrowser)('the page of an account of a facilitator', () => {
  let facilitator: TestFacilitator
  let treasury = ''
  let browser: Browser
  let account: TestAccount
  beforeAll(async () => {
    buildConsole(repositoryRoot)
    browser = await launchBrowser()
    const chain = await testChain()
    treasury = chain.treasury
    facilitator = await testFacilitator({ chain, signerKeys: [devAccount(9).privateKey] })
    account = await facilitator.account({ settles: 20 })
    await settle(account, 'https://api.shop.example/weather/berlin?token=secret', 10_000n)
    await settle(account, 'https://api.shop.example/weather/berlin', 20_000n)
    await settle(account, 'https://api.shop.example/translate', 500_000n)
  })
  afterAll(async () => {
    await browser?.close()
    await facilitator?.close()
  })

  /** Settles a payment for a resource, and returns its transaction. */
  async function settle(by: TestAccount, url: string, value: bigint): Promise<string> {
    const body = await signedBody({ account: devAccount(1), value })
    const info = { required: false, id: `${IDENTIFIER}_${value}` }
    const paymentPayload = {
      ...body.paymentPayload,
      resource: { url },
      extensions: { 'payment-identifier': { info, schema: {} } },
    }
    const settlement = await payments.settle(
      facilitator.client(by),
      paymentInput({ ...body, paymentPayload }),
    )
    return settlement?.transaction ?? ''
  }

  async function openPage(): Promise<Tab> {
    const tab = await openTab(await browser.newContext(toContextOptions({})))
    await tab.page.goto(`${facilitator.url}/account`)
    return tab
  }

  async function enterKey({ page }: Tab, token: string): Promise<void> {
    await page.getByLabel('Key of the account').fill(token)
    await page.getByRole('button', { name: 'Open the account' }).click()
  }

  async function openAccount(of: TestAccount): Promise<Tab> {
    const tab = await openPage()
    await enterKey(tab, of.token)
    await tab.page.getByRole('heading', { name: 'Your account', level: 1 }).waitFor()
    await waitForPage(tab)
    return tab
  }

  const findFigure = ({ page }: Tab, label: string) =>
    page.locator('.figure', { hasText: label }).locator('.figure-value').textContent()

  it('the page of an account opens with its key only, keeps it for the tab, and forgets it', async () => {
    const tab = await openPage()
    const { page } = tab
    await checkViews(tab, 'account key')
    await enterKey(tab, `mm_${'x'.repeat(43)}`)
    await page.getByText('The facilitator does not know this key').waitFor()
    await enterKey(tab, account.token)
    await page.getByRole('heading', { name: 'Your account', level: 1 }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Your account', level: 1 }).waitFor()
    expect(await page.evaluate(() => ({ ...localStorage }))).toEqual({})
    const other = await page.context().newPage()
    await other.goto(`${facilitator.url}/account`)
    await other.getByLabel('Key of the account').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Key of the account').waitFor()
    await page.reload()
    await page.getByLabel('Key of the account').waitFor()
    expect(tab.problems).toEqual([])
  })

  it('the page of an account shows what it earns by resource and chain, and how to top up', async () => {
    const tab = await openAccount(account)
    const { page } = tab
    expect(await findFigure(tab, 'Settles left')).toBe('17')
    expect(await findFigure(tab, 'Payments')).toBe('3')
    expect(await findFigure(tab, 'Revenue in')).toContain('0.53')
    await page.getByText('39 days at the rate of the last week').waitFor()
    const resources = page.getByRole('table', { name: 'Revenue by resource' }).locator('tbody tr')
    expect(await resources.allTextContents()).toEqual([
      expect.stringMatching(/^https:\/\/api\.shop\.example\/translate1.*0\.5/),
      expect.stringMatching(/^https:\/\/api\.shop\.example\/weather\/berlin2.*0\.03/),
    ])
    const chains = page.getByRole('table', { name: 'Payments by chain' })
    expect(await chains.locator('tbody tr').allTextContents()).toEqual([
      expect.stringContaining('Base Sepolia3'),
    ])
    await page.getByText(treasury, { exact: false }).first().waitFor()
    await page.getByRole('img', { name: 'QR code of the address to send to' }).waitFor()
    await checkTabOrder(page)
    await checkViews(tab, 'account of a facilitator')
    await page.getByText('90 days').click()
    await page.getByRole('heading', { name: 'Last 90 days' }).waitFor()
  })

  it('the page of an account finds a payment by its identifier and its transaction', async () => {
    const transaction = await settle(account, 'https://api.shop.example/found', 1_234n)
    const tab = await openAccount(account)
    const { page } = tab
    for (const reference of [`${IDENTIFIER}_1234`, transaction]) {
      await page.getByRole('button', { name: 'Find a payment' }).click()
      const search = page.getByRole('dialog', { name: 'Find a payment' })
      await search.getByLabel('Transaction or payment identifier').fill(reference)
      await search.getByRole('button', { name: 'Find', exact: true }).click()
      const found = page.getByRole('dialog', { name: 'Payment', exact: true })
      await found.getByText('https://api.shop.example/found').waitFor()
      await found.getByText('The success was returned').waitFor()
      await checkViews(tab, 'account payment')
      await page.keyboard.press('Escape')
      await found.waitFor({ state: 'detached' })
    }
  })

  it('the page of an account shows unresolved payments with what to do', async () => {
    const seller = await facilitator.account({ settles: 1 })
    await settle(seller, 'https://api.shop.example/lost', 77n)
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
    const tab = await openAccount(seller)
    const { page } = tab
    const unresolved = page.getByRole('table', { name: 'Unresolved payments' })
    await unresolved.getByText('https://api.shop.example/lost').waitFor()
    await page.getByText('do not ask for another payment').first().waitFor()
    await page.getByText('The balance is used up').waitFor()
    await checkViews(tab, 'account unresolved')
  })

  it('the page of an account shows nothing of another account', async () => {
    const stranger = await facilitator.account({ settles: 5, quota: 0 })
    const tab = await openAccount(stranger)
    const { page } = tab
    expect(await findFigure(tab, 'Payments')).toBe('0')
    await page.getByText('No payments yet').waitFor()
    await page.getByText('Sign a quota with your wallet').waitFor()
    expect(await page.locator('main').textContent()).not.toContain('api.shop.example')
    await page.getByRole('button', { name: 'Find a payment' }).click()
    const search = page.getByRole('dialog', { name: 'Find a payment' })
    await search.getByLabel('Transaction or payment identifier').fill(`${IDENTIFIER}_10000`)
    await search.getByRole('button', { name: 'Find', exact: true }).click()
    await search.getByRole('alert').waitFor()
    await checkViews(tab, 'account of a stranger')
  })

  it('the page of an account creates a webhook, shows its secret once, and removes it', async () => {
    const seller = await facilitator.account()
    const tab = await openAccount(seller)
    const { page } = tab
    await page.getByRole('button', { name: 'Create webhook' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create webhook' })
    await dialog.getByLabel('Address').fill('https://127.0.0.1:9/hook')
    await dialog.getByRole('button', { name: 'Create webhook' }).click()
    const secret = page.getByRole('dialog', { name: 'The signing secret' })
    await secret.getByText(/^whsec_/).waitFor()
    await secret.getByRole('button', { name: 'Done' }).click()
    const table = page.getByRole('table', { name: 'Webhooks' })
    await table.getByText('https://127.0.0.1:9/hook').waitFor()
    await checkViews(tab, 'account webhooks')
    await table.getByRole('button', { name: 'Actions for https://127.0.0.1:9/hook' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page
      .getByRole('alertdialog')
      .or(page.getByRole('dialog'))
      .getByRole('button', { name: 'Remove' })
      .click()
    await page.getByText('No webhooks yet').waitFor()
    expect(await webhooks.list(facilitator.client(seller))).toEqual([])
  })
})
