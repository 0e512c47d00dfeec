// What operators do with a connected facilitator in the console: accounts, keys, settlements, reverts, the
// ledger and its health.

import { serveLocally } from '@mintmark/devkit'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { operatorAccounts, operatorDecisions, operatorReverts } from '@mintmark/facilitator/operator'
import { createFacilitator, type FacilitatorClient } from '@mintmark/transport'
import { expect, type Page } from '@playwright/test'
import { signedBody } from '../../facilitator-server/src/engine/testing.ts'
import { storeRevert } from '../../facilitator-server/src/ledger/settlements/testing-reverts.ts'
import {
  type TestAccount,
  type TestFacilitator,
  testFacilitator,
} from '../../facilitator-server/src/testing.ts'
import { checkPage } from './check-page.ts'
import { checkViews } from './check-views.ts'
import { type ConsoleFixture, startConsole } from './console-fixture.ts'
import { facilitatorTest, OPERATOR_TOKEN } from './facilitator-fixture.ts'

const REVERT_LIMIT = 2
const HASH = `0x${'ab'.repeat(32)}`
const UNREADABLE = 'eip155:8453'
const onUnreadable = {
  chainId: 8453,
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  name: 'USD Coin',
}

/** Its upstream never responds, so that every settlement becomes unknown. */
const test = facilitatorTest(async (chain, stops) =>
  testFacilitator({
    chain,
    env: {
      OPERATOR_TOKEN,
      UPSTREAM_FACILITATOR_URL: await serveLocally(() => {}, stops),
      UPSTREAM_TIMEOUT_MS: '200',
      UNREADABLE_NETWORKS: UNREADABLE,
      REVERT_LIMIT_PER_PAYER: String(REVERT_LIMIT),
      REVERT_LIMIT_PER_ACCOUNT: String(REVERT_LIMIT),
    },
  }),
).extend<object, { operator: FacilitatorClient }>({
  // Reads what the console has changed.
  operator: [
    async ({ facilitator: { url } }, use) => {
      await use(createFacilitator({ baseUrl: url, credentials: { token: OPERATOR_TOKEN } }))
    },
    { scope: 'worker' },
  ],
})

test.describe('an operator of a facilitator at the console', () => {
  const at = (app: ConsoleFixture, path: string) => `${app.url}/console/operator/facilitator/${path}`

  const openPage = (app: ConsoleFixture, path: string) => app.openAsOperator({ path: `facilitator/${path}` })

  /** Settles a payment, whose outcome becomes unknown, and returns its id. */
  async function createUnknown(
    facilitator: TestFacilitator,
    account: TestAccount,
    chainOf: object = onUnreadable,
  ): Promise<number> {
    const body = await signedBody({ account: devAccount(1), ...chainOf })
    const { status } = await facilitator.post('/settle', body, account.token)
    expect(status).toBe(503)
    return (await facilitator.settlements()).at(-1)?.id ?? 0
  }

  const findList = (page: Page, name: string) => page.getByRole('table', { name, exact: true })

  test('An operator creates an account with a key that works', { tag: '@operator' }, async ({
    facilitator,
    app,
  }) => {
    const wallet = '0xa1'.padEnd(42, '3')
    const name = 'Shop'
    const page = await openPage(app, 'accounts')
    await page.getByRole('button', { name: 'Create account' }).click()
    const creation = page.getByRole('dialog', { name: 'Create account' })
    await creation.getByLabel('Wallet').fill(wallet)
    await creation.getByLabel('Name').fill(name)
    await creation.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('link', { name }).click()
    await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
    await page.getByRole('button', { name: 'Create key' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create key' })
    await dialog.getByLabel('Name').fill('till')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    const shown = page.getByRole('dialog', { name: 'Token of the new key' })
    const token = await shown.locator('code').textContent()
    await checkViews(page, 'facilitator token')
    await shown.getByRole('button', { name: 'Done' }).click()
    await expect(findList(page, 'Keys').getByText('till')).toBeVisible()
    await checkViews(page, 'facilitator account')
    const client = await fetch(`${facilitator.url}/webhooks`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(client.status).toBe(200)
    await page.reload()
    await expect(findList(page, 'Keys').getByText('till')).toBeVisible()
    expect(await page.content()).not.toContain(token)
  })

  test('An operator credits and freezes an account by a reason', { tag: '@operator' }, async ({
    facilitator,
    app,
  }) => {
    const account = await facilitator.account({ settles: 0 })
    const page = await openPage(app, `accounts/${account.id}`)
    await page.getByRole('button', { name: 'Credit' }).click()
    const dialog = page.getByRole('dialog', { name: 'Credit test' })
    await dialog.getByLabel('Amount').fill('0.5')
    await expect(dialog.getByText('The balance becomes 0.5.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Credit' }).click()
    await expect(dialog.getByText('Enter a value')).toBeVisible()
    await dialog.getByLabel('Reason').fill('Refund of invoice 7')
    await checkViews(page, 'facilitator credit')
    await dialog.getByRole('button', { name: 'Credit' }).click()
    await expect(findList(page, 'Ledger').getByText('Refund of invoice 7')).toBeVisible()
    expect(await facilitator.available(account)).toBe(500_000_000_000_000_000n)
    await page.getByRole('button', { name: 'Freeze' }).click()
    const freeze = page.getByRole('dialog', { name: 'Freeze test?' })
    await freeze.getByLabel('Reason').fill('The key was published')
    await freeze.getByRole('button', { name: 'Freeze' }).click()
    await expect(page.getByText('This account is frozen and cannot pay')).toBeVisible()
    await expect(page.getByText('Olga Operator: The key was published')).toBeVisible()
    const decisions = findList(page, 'Decisions of operators')
    await expect(decisions.getByText('Froze the account')).toBeVisible()
    await expect(decisions.getByText('Olga Operator').first()).toBeVisible()
    await checkViews(page, 'facilitator frozen account')
    await page.getByRole('button', { name: 'End the freeze' }).click()
    const open = page.getByRole('dialog', { name: 'End the freeze of test?' })
    await open.getByLabel('Reason').fill('The key was replaced')
    await open.getByRole('button', { name: 'End the freeze' }).click()
    await expect(page.getByText('This account is frozen and cannot pay')).toHaveCount(0)
  })

  test('credits an account once when the response is lost, also after the page was reloaded', async ({
    facilitator,
    app,
  }) => {
    const account = await facilitator.account({ settles: 0 })
    const page = await openPage(app, `accounts/${account.id}`)
    const credits = '**/credit'
    await page.route(credits, async (route) => {
      await route.fetch()
      await route.abort()
    })
    await page.getByRole('button', { name: 'Credit' }).click()
    const dialog = page.getByRole('dialog', { name: 'Credit test' })
    await dialog.getByLabel('Amount').fill('0.5')
    await dialog.getByLabel('Reason').fill('Refund of invoice 8')
    await dialog.getByRole('button', { name: 'Credit' }).click()
    const notice = dialog.getByText('It is not known whether an earlier credit of 0.5 was made')
    await expect(notice).toBeVisible()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Discard', exact: true }).click()
    await page.unroute(credits)
    await page.getByRole('button', { name: 'Credit' }).click()
    await expect(notice).toBeVisible()
    await checkViews(page, 'facilitator credit in doubt')
    await page.reload()
    await page.getByRole('button', { name: 'Credit' }).click()
    await expect(notice).toBeVisible()
    await dialog.getByRole('button', { name: 'Credit' }).click()
    await expect(page.getByText('Credited. The balance is 0.5')).toBeVisible()
    expect(await facilitator.available(account)).toBe(500_000_000_000_000_000n)
    await page.getByRole('button', { name: 'Credit' }).click()
    await expect(dialog.getByLabel('Amount')).toBeVisible()
    await expect(notice).toHaveCount(0)
  })

  test('changes the delay of settles of an account by a reason, within its limits', async ({
    facilitator,
    operator,
    app,
  }) => {
    const account = await facilitator.account()
    const page = await openPage(app, `accounts/${account.id}`)
    const details = page.locator('.detail-list')
    await expect(details.getByText('Never', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Change the delay' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delay of settles of test' })
    const delay = dialog.getByLabel('Delay')
    await expect(delay).toHaveValue('0')
    await delay.fill('5001')
    await dialog.getByLabel('Reason').fill('The shop accepts some delay')
    await dialog.getByRole('button', { name: 'Change' }).click()
    await expect(delay).toHaveAttribute('aria-invalid', 'true')
    await delay.fill('1500')
    await checkViews(page, 'facilitator delay')
    await dialog.getByRole('button', { name: 'Change' }).click()
    await expect(details.getByText('Settles wait up to 1,500 ms for others')).toBeVisible()
    const decisions = findList(page, 'Decisions of operators')
    await expect(decisions.getByText('Changed the delay of settles')).toBeVisible()
    await checkViews(page, 'facilitator account with a delay')
    const stored = await operatorAccounts.get(operator, { id: account.id })
    expect(stored.account.batchDelayMs).toBe(1500)
  })

  test('An operator resolves an unknown settlement', { tag: '@operator' }, async ({ facilitator, app }) => {
    const account = await facilitator.account()
    const id = await createUnknown(facilitator, account)
    const page = await openPage(app, 'settlements?status=unknown')
    await expect(page.getByRole('link', { name: String(id), exact: true })).toBeVisible()
    await checkViews(page, 'facilitator settlements')
    await page.getByRole('link', { name: String(id), exact: true }).click()
    await expect(page.getByText('The chain cannot be read').first()).toBeVisible()
    await expect(page.getByText('Exact amount')).toBeVisible()
    await expect(page.getByText('EIP-3009')).toBeVisible()
    await checkViews(page, 'facilitator unknown settlement')
    await page.getByRole('button', { name: 'Resolve', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: `Resolve settlement ${id}` })
    await dialog.getByLabel('It was paid').check()
    await dialog.getByLabel('Transaction that paid').fill(HASH)
    await dialog.getByLabel('Reason').fill('Seen in the explorer')
    await checkViews(page, 'facilitator resolve')
    await dialog.getByRole('button', { name: 'Resolve' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(page.getByText('Seen in the explorer').first()).toBeVisible()
    await checkViews(page, 'facilitator resolved settlement')
    const settlement = (await facilitator.settlements()).find((each) => each.id === id)
    expect(settlement).toMatchObject({ state: 'settled', transaction: HASH })
  })

  test('is warned that a readable chain decides, and decides only by force', async ({ facilitator, app }) => {
    const id = await createUnknown(facilitator, await facilitator.account(), {})
    const page = await openPage(app, `settlements/${id}`)
    await expect(page.getByText('The chain has not decided yet')).toBeVisible()
    await page.getByRole('button', { name: 'Resolve', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: `Resolve settlement ${id}` })
    await dialog.getByLabel('Reason').fill('The payer closed the wallet')
    await dialog.getByRole('button', { name: 'Resolve' }).click()
    await expect(dialog.getByText('The chain can be read, so it decides')).toBeVisible()
    await checkViews(page, 'facilitator chain decides')
    await dialog.getByLabel('Decide although the chain can be read').check()
    await dialog.getByRole('button', { name: 'Resolve' }).click()
    await expect(dialog).toHaveCount(0)
    const settlement = (await facilitator.settlements()).find((each) => each.id === id)
    expect(settlement).toMatchObject({ state: 'failed', hold: 'released' })
  })

  test('An operator replaces a key, and revokes the new one', { tag: '@operator' }, async ({
    facilitator,
    operator,
    app,
  }) => {
    const account = await facilitator.account()
    const page = await openPage(app, `accounts/${account.id}`)
    const getStatus = async (token: string) =>
      (await fetch(`${facilitator.url}/webhooks`, { headers: { authorization: `Bearer ${token}` } })).status
    const keys = findList(page, 'Keys')
    const openMenu = async (entry: string) => {
      await keys.getByRole('button', { name: 'Actions for test' }).click()
      await page.getByRole('menuitem', { name: entry }).click()
    }

    await openMenu('Replace')
    const replacement = page.getByRole('dialog', { name: 'Replace the key test' })
    await replacement.getByLabel('The old token works for').selectOption('no longer')
    await checkViews(page, 'facilitator replace key')
    await replacement.getByRole('button', { name: 'Replace' }).click()
    const shown = page.getByRole('dialog', { name: 'Token of the new key' })
    const token = (await shown.locator('code').textContent()) ?? ''
    await shown.getByRole('button', { name: 'Done' }).click()
    await expect(keys.getByText('Active', { exact: true })).toBeVisible()
    await expect(
      keys.getByText('Revoked', { exact: true }).or(keys.getByText('Ends', { exact: true })),
    ).toBeVisible()
    await expect(keys.getByText('Ends', { exact: true })).toHaveCount(0)
    expect(await getStatus(token)).toBe(200)
    // The facilitator caches the keys of accepted tokens, and has not seen this one.
    expect(await getStatus(account.token)).toBe(401)
    const { keys: stored } = await operatorAccounts.get(operator, { id: account.id })
    expect(stored).toMatchObject([{ accountId: account.id }, { id: account.keyId }])

    const newest = stored[0]?.id ?? 0
    await openMenu('Revoke')
    const revocation = page.getByRole('dialog', { name: 'Revoke the key test?' })
    await revocation.getByRole('button', { name: 'Revoke' }).click()
    await expect(revocation.getByText('Enter a value')).toBeVisible()
    expect(await getStatus(token)).toBe(200)
    await revocation.getByLabel('Reason').fill('The till was stolen')
    await expect(revocation.getByText('Enter a value')).toHaveCount(0)
    await checkViews(page, 'facilitator revoke key')
    await revocation.getByRole('button', { name: 'Revoke' }).click()
    await expect(page.getByText('The key test is revoked')).toBeVisible()
    await expect(keys.getByText('Revoked', { exact: true })).toHaveCount(2)
    await expect(keys.getByRole('button', { name: 'Actions for' })).toHaveCount(0)
    const { keys: revoked } = await operatorAccounts.get(operator, { id: account.id })
    const times = revoked.map(({ revokeTime = '9999' }) => Date.parse(revokeTime))
    expect(Math.max(...times)).toBeLessThanOrEqual(Date.now() + 1000)
    const { decisions } = await operatorDecisions.list(operator, { subject: `key/${newest}` })
    expect(decisions).toMatchObject([{ operation: 'operatorKeys.revoke', reason: 'The till was stolen' }])
    expect(decisions[0]?.actor).toMatch(/^person:[\w-]+$/)
    await checkViews(page, 'facilitator revoked keys')
  })

  test('accepts a payer and an account again whose transactions reverted, by a reason', async ({
    facilitator,
    operator,
    app,
  }) => {
    const account = await facilitator.account()
    const settlement = await createUnknown(facilitator, account)
    for (let each = 0; each < REVERT_LIMIT; each += 1) await storeRevert(facilitator.db, settlement)
    const wallet = devAccount(1).address.toLowerCase()
    const page = await openPage(app, 'reverts')
    const list = findList(page, 'Reverts')
    await expect(list.getByText('Refused', { exact: true })).toHaveCount(2)
    await checkViews(page, 'facilitator refused')

    const payer = `Wallet ${wallet.slice(0, 6)}…${wallet.slice(-4)}`
    for (const who of [`Account ${account.id}`, payer]) {
      await list.getByRole('button', { name: `Accept again: ${who}` }).click()
      const dialog = page.getByRole('dialog', { name: `Accept the payments of ${who} again?` })
      await dialog.getByRole('button', { name: 'Accept again' }).click()
      await expect(dialog.getByText('Enter a value')).toBeVisible()
      await dialog.getByLabel('Reason').fill('The token is no longer paused')
      await checkViews(page, `facilitator accept ${who.split(' ')[0]}`)
      await dialog.getByRole('button', { name: 'Accept again' }).click()
      await expect(page.getByText(`${who} is accepted again`)).toBeVisible()
    }
    await expect(page.getByText('Nothing reverted')).toBeVisible()
    expect(await operatorReverts.list(operator)).toEqual([])
    for (const subject of [`account/${account.id}`, `payer/${wallet}`]) {
      const { decisions } = await operatorDecisions.list(operator, { subject, size: 1 })
      expect(decisions).toMatchObject([
        { operation: 'operatorReverts.clear', reason: 'The token is no longer paused' },
      ])
    }
  })

  test('sees the health, the reverts and a check of the ledger', async ({ facilitator, app }) => {
    await facilitator.runJobs()
    const page = await openPage(app, 'health')
    await expect(findList(page, 'Chains').getByText('Base Sepolia')).toBeVisible()
    await checkViews(page, 'facilitator health')
    await page.goto(at(app, 'reverts'))
    await expect(page.getByText('Nothing reverted')).toBeVisible()
    await checkViews(page, 'facilitator reverts')
    await page.goto(at(app, 'ledger'))
    await expect(page.getByText('Not checked yet')).toBeVisible()
    await page.getByRole('button', { name: 'Check now' }).click()
    await expect(page.getByText('Owed to payers')).toBeVisible()
    await checkViews(page, 'facilitator ledger')
    await page.goto(at(app, 'accounts'))
    await checkViews(page, 'facilitator accounts')
  })

  test('reads what to do when the facilitator refuses the gateway, and stays signed in', async ({ app }) => {
    const page = await openPage(app, 'accounts')
    await expect(page.getByRole('heading', { name: 'Accounts', level: 1 })).toBeVisible()
    const body = JSON.stringify({ error: 'FacilitatorUnreachable', message: 'x' })
    await page.route('**/facilitator/operator/**', (route) =>
      route.fulfill({ status: 503, contentType: 'application/json', body }),
    )
    await page.reload()
    await page.getByText('The facilitator cannot be reached').waitFor({ timeout: 60_000 })
    await checkViews(page, 'facilitator unreachable')
  })

  test('sees no such pages at a gateway without a facilitator', async ({ browser }) => {
    const lone = await startConsole(browser, {})
    try {
      const page = await lone.openAsOperator()
      await page.goto(`${lone.url}/console/operator/health`)
      await expect(page.getByRole('heading', { name: 'Health', level: 1 })).toBeVisible()
      await expect(page.getByRole('link', { name: 'Settlements' })).toHaveCount(0)
      await page.goto(`${lone.url}/console/operator/facilitator/accounts`)
      await expect(page.getByText('No facilitator is connected to this server').first()).toBeVisible()
      await checkPage(page)
    } finally {
      await lone.close()
    }
  })
})
