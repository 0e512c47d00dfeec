// What operators of a facilitator that signs transactions see in the console: channels, sponsored approvals,
// and deposits without an account.

import { devAccount } from '@mintmark/devkit/chain/accounts'
import { expect, type Page } from '@playwright/test'
import {
  callsOf,
  claimBody,
  depositBody,
  openChannel,
} from '../../facilitator-server/src/e2e/testing-channels.ts'
import { signedBody } from '../../facilitator-server/src/engine/testing.ts'
import { getAccount } from '../../facilitator-server/src/ledger/accounts/accounts.ts'
import { creditDeposit } from '../../facilitator-server/src/ledger/deposits/deposits.ts'
import { storeGrants } from '../../facilitator-server/src/schemes/evm/shared/permit2/approvals/testing-grants.ts'
import { type TestFacilitator, testFacilitator } from '../../facilitator-server/src/testing.ts'
import type { View } from './browser.ts'
import { checkViews } from './check-views.ts'
import type { ConsoleFixture } from './console-fixture.ts'
import { facilitatorTest, OPERATOR_TOKEN } from './facilitator-fixture.ts'

const PHONE: View = { width: 390 }
const GRANT = 20_000_000_000_000n

const test = facilitatorTest((chain) =>
  testFacilitator({
    chain,
    signerKeys: [devAccount(9).privateKey],
    env: {
      OPERATOR_TOKEN,
      APPROVAL_GRANT_WEI: `84532=${GRANT}`,
      APPROVAL_GRANTS_PER_DAY_WEI: `84532=${GRANT * 30n}`,
    },
  }),
)

test.describe('an operator of a facilitator that signs transactions, at the console', () => {
  const findList = (page: Page, name: string) => page.getByRole('list', { name, exact: true })

  const openPage = (app: ConsoleFixture, path: string) =>
    app.openAsOperator({ ...PHONE, path: `facilitator/${path}` })

  /** Settles a payment and stores grants for it. Returns their account. */
  async function giveGas(facilitator: TestFacilitator, count: number, prefix: string): Promise<number> {
    const account = await facilitator.account()
    const body = await signedBody({ account: devAccount(1) })
    expect((await facilitator.post('/settle', body, account.token)).status).toBe(200)
    const settlementId = (await facilitator.settlements()).at(-1)?.id ?? 0
    const grants = { settlementId, accountId: account.id, count, prefix, amount: GRANT }
    await storeGrants(facilitator.db, grants)
    return account.id
  }

  test('creates an account for a wallet that deposited without one, which is credited', async ({
    facilitator,
    app,
  }) => {
    const payer = `0x${'d'.padEnd(40, '4')}`
    const hash = `0x${'e'.padEnd(64, '5')}`
    const place = { chainId: 84532, hash, logIndex: 0, blockNumber: 1n, blockHash: `0x${'0b'.repeat(32)}` }
    const deposit = { ...place, payer, amount: 2n * 10n ** 16n }
    expect(await creditDeposit(facilitator.db, deposit)).toBe('suspended')
    const page = await openPage(app, 'health')
    await expect(page.getByText('1 wallet deposited without an account')).toBeVisible()
    const wallets = findList(page, 'Deposits without an account')
    await expect(wallets.getByText('0.02', { exact: true })).toBeVisible()
    await wallets.scrollIntoViewIfNeeded()
    await checkViews(page, 'facilitator suspended deposit')
    await wallets.getByRole('button', { name: 'Create account for' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create account for' })
    await dialog.getByLabel('Name').fill('Late')
    await checkViews(page, 'facilitator account of a deposit')
    await dialog.getByRole('button', { name: 'Create account' }).click()
    await expect(dialog).toBeHidden()
    await expect(wallets).toBeHidden()
    expect((await getAccount(facilitator.db, payer)).available).toBe(deposit.amount)
  })

  test('sees channels, and what waits for a claim or a payout', async ({ chain, facilitator, app }) => {
    const calls = callsOf(facilitator, await facilitator.account())
    const channel = await openChannel(chain)
    expect(await calls.settle(await depositBody(chain, channel))).toMatchObject({ success: true })
    const claim = await claimBody(chain, [{ channel, total: 20_000n, maximum: 30_000n }])
    expect(await calls.settle(claim)).toMatchObject({ success: true })
    const page = await openPage(app, 'channels')
    const channels = findList(page, 'Channels')
    await expect(channels.getByText('Open', { exact: true }).first()).toBeVisible()
    await page.getByRole('searchbox', { name: 'Search by wallet' }).fill(channel.config.receiver)
    await expect(page.getByText('Nothing found')).toBeVisible()
    await page.getByLabel('The wallet is').selectOption('The receiver')
    for (const amount of ['0.1 USDC', '0.03 USDC', '0.01 USDC'])
      await expect(channels.getByText(amount, { exact: true })).toBeVisible()
    // What was claimed is what waits for a payout.
    await expect(channels.getByText('0.02 USDC', { exact: true })).toHaveCount(2)
    await checkViews(page, 'facilitator channels')
  })

  test('sees the gas that wallets received, and which accounts have reached the limit of the day', async ({
    facilitator,
    app,
  }) => {
    const full = await giveGas(facilitator, 30, 'a')
    const open = await giveGas(facilitator, 3, 'b')
    const page = await openPage(app, 'grants')
    const today = findList(page, 'Today')
    await expect(today.getByRole('link', { name: `Account ${full}`, exact: true })).toBeVisible()
    expect(await today.getByText('Limit reached', { exact: true }).count()).toBeGreaterThan(0)
    expect(await today.getByText('10 % used', { exact: true }).count()).toBeGreaterThan(0)
    await checkViews(page, 'facilitator grants')

    const grants = findList(page, 'Gas for approvals')
    await page.getByRole('button', { name: 'Older' }).click()
    await expect(grants.getByRole('link', { name: `Account ${full}`, exact: true })).toHaveCount(13)
    await page.getByRole('button', { name: 'Newest' }).click()
    await expect(grants.getByRole('link', { name: `Account ${open}`, exact: true }).first()).toBeVisible()

    await today.getByRole('link', { name: `Account ${open}`, exact: true }).click()
    await expect(grants.getByRole('link', { name: /^Account/ })).toHaveCount(3)
    const wallet = `0x${'b'.padEnd(8, '0')}${'2'.padStart(32, '0')}`
    await page.getByRole('searchbox', { name: 'Search by wallet' }).fill(wallet)
    await expect(grants.getByRole('link', { name: /^Account/ })).toHaveCount(1)
    await grants.scrollIntoViewIfNeeded()
    await checkViews(page, 'facilitator grants of a wallet')
    await page.getByRole('searchbox', { name: 'Search by wallet' }).fill('0x12')
    await expect(page.getByText('Nothing found')).toBeVisible()
  })
})
