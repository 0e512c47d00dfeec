// What operators of a facilitator that signs transactions see in the console: channels, sponsored approvals,
// and deposits without an account.
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { type TestChain, testChain } from '@mintmark/devkit/chain/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  callsOf,
  claimBody,
  depositBody,
  openChannel,
} from '../../../packages/facilitator-server/src/e2e/testing-channels.ts'
import { signedBody } from '../../../packages/facilitator-server/src/engine/testing.ts'
import { getAccount } from '../../../packages/facilitator-server/src/ledger/accounts/accounts.ts'
import { creditDeposit } from '../../../packages/facilitator-server/src/ledger/deposits/deposits.ts'
import { storeGrants } from '../../../packages/facilitator-server/src/schemes/evm/shared/permit2/approvals/testing-grants.ts'
import { type TestFacilitator, testFacilitator } from '../../../packages/facilitator-server/src/testing.ts'
import { hasBrowser, type Tab, type View } from './browser.ts'
import { checkViews } from './check-views.ts'
import { type ConsoleFixture, startConsole } from './console-fixture.ts'

const PHONE: View = { width: 390 }
const OPERATOR_TOKEN = 'operator-token-of-the-console-0123456789'
const GRANT = 20_000_000_000_000n

describe.skipIf(!hasBrowser)('an operator of a facilitator that signs transactions, at the console', () => {
  const stops = new AsyncDisposableStack()
  let chain: TestChain
  let facilitator: TestFacilitator
  let fixture: ConsoleFixture
  beforeAll(async () => {
    chain = await testChain()
    facilitator = await testFacilitator({
      chain,
      signerKeys: [devAccount(9).privateKey],
      env: {
        OPERATOR_TOKEN,
        APPROVAL_GRANT_WEI: `84532=${GRANT}`,
        APPROVAL_GRANTS_PER_DAY_WEI: `84532=${GRANT * 30n}`,
      },
    })
    stops.defer(() => facilitator.close())
    fixture = await startConsole({
      settings: { facilitator: { url: facilitator.url, token: OPERATOR_TOKEN } },
    })
    stops.defer(() => fixture.close())
  })
  afterAll(() => stops.disposeAsync())

  const findList = ({ page }: Tab, name: string) => page.getByRole('list', { name, exact: true })

  async function openPage(path: string): Promise<Tab> {
    const tab = await fixture.openAsOperator(PHONE)
    await tab.page.goto(`${fixture.url}/console/operator/facilitator/${path}`)
    return tab
  }

  /** Settles a payment and stores grants for it. Returns their account. */
  async function giveGas(count: number, prefix: string): Promise<number> {
    const account = await facilitator.account()
    const body = await signedBody({ account: devAccount(1) })
    expect((await facilitator.post('/settle', body, account.token)).status).toBe(200)
    const settlementId = (await facilitator.settlements()).at(-1)?.id ?? 0
    const grants = { settlementId, accountId: account.id, count, prefix, amount: GRANT }
    await storeGrants(facilitator.db, grants)
    return account.id
  }

  it('creates an account for a wallet that deposited without one, which is credited', async () => {
    const payer = `0x${'d'.padEnd(40, '4')}`
    const hash = `0x${'e'.padEnd(64, '5')}`
    const place = { chainId: 84532, hash, logIndex: 0, blockNumber: 1n, blockHash: `0x${'0b'.repeat(32)}` }
    const deposit = { ...place, payer, amount: 2n * 10n ** 16n }
    expect(await creditDeposit(facilitator.db, deposit)).toBe('suspended')
    const tab = await openPage('health')
    const { page } = tab
    await page.getByText('1 wallet deposited without an account').waitFor()
    const wallets = findList(tab, 'Deposits without an account')
    await wallets.getByText('0.02', { exact: true }).waitFor()
    await wallets.scrollIntoViewIfNeeded()
    await checkViews(tab, 'facilitator suspended deposit')
    await wallets.getByRole('button', { name: 'Create account for' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create account for' })
    await dialog.getByLabel('Name').fill('Late')
    await checkViews(tab, 'facilitator account of a deposit')
    await dialog.getByRole('button', { name: 'Create account' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await wallets.waitFor({ state: 'hidden' })
    expect((await getAccount(facilitator.db, payer)).available).toBe(deposit.amount)
  })

  it('sees channels, and what waits for a claim or a payout', async () => {
    const calls = callsOf(facilitator, await facilitator.account())
    const channel = await openChannel(chain)
    expect(await calls.settle(await depositBody(chain, channel))).toMatchObject({ success: true })
    const claim = await claimBody(chain, [{ channel, total: 20_000n, maximum: 30_000n }])
    expect(await calls.settle(claim)).toMatchObject({ success: true })
    const tab = await openPage('channels')
    const { page } = tab
    const channels = findList(tab, 'Channels')
    await channels.getByText('Open', { exact: true }).first().waitFor()
    await page.getByRole('searchbox', { name: 'Search by wallet' }).fill(channel.config.receiver)
    await page.getByText('Nothing found').waitFor()
    await page.getByLabel('The wallet is').selectOption('The receiver')
    for (const amount of ['0.1 USDC', '0.03 USDC', '0.01 USDC'])
      await channels.getByText(amount, { exact: true }).waitFor()
    // What was claimed is what waits for a payout.
    await expect.poll(() => channels.getByText('0.02 USDC', { exact: true }).count()).toBe(2)
    await checkViews(tab, 'facilitator channels')
  })

  it('sees the gas that wallets received, and which accounts have reached the limit of the day', async () => {
    const full = await giveGas(30, 'a')
    const open = await giveGas(3, 'b')
    const tab = await openPage('grants')
    const { page } = tab
    const today = findList(tab, 'Today')
    await today.getByRole('link', { name: `Account ${full}`, exact: true }).waitFor()
    expect(await today.getByText('Limit reached', { exact: true }).count()).toBeGreaterThan(0)
    expect(await today.getByText('10 % used', { exact: true }).count()).toBeGreaterThan(0)
    await checkViews(tab, 'facilitator grants')

    const grants = findList(tab, 'Gas for approvals')
    await page.getByRole('button', { name: 'Older' }).click()
    await expect
      .poll(() => grants.getByRole('link', { name: `Account ${full}`, exact: true }).count())
      .toBe(13)
    await page.getByRole('button', { name: 'Newest' }).click()
    await grants
      .getByRole('link', { name: `Account ${open}`, exact: true })
      .first()
      .waitFor()

    await today.getByRole('link', { name: `Account ${open}`, exact: true }).click()
    await expect.poll(() => grants.getByRole('link', { name: /^Account/ }).count()).toBe(3)
    const wallet = `0x${'b'.padEnd(8, '0')}${'2'.padStart(32, '0')}`
    await page.getByRole('searchbox', { name: 'Search by wallet' }).fill(wallet)
    await expect.poll(() => grants.getByRole('link', { name: /^Account/ }).count()).toBe(1)
    await grants.scrollIntoViewIfNeeded()
    await checkViews(tab, 'facilitator grants of a wallet')
    await page.getByRole('searchbox', { name: 'Search by wallet' }).fill('0x12')
    await page.getByText('Nothing found').waitFor()
  })
})
