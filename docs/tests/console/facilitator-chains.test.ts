// What operators of a facilitator that signs transactions read about sponsored approvals in the console.
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { testChain } from '@mintmark/devkit/chain/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storeGrants } from '../../../packages/facilitator-server/src/chains/evm/approvals/testing-grants.ts'
import { signedBody } from '../../../packages/facilitator-server/src/payments/testing.ts'
import { type TestFacilitator, testFacilitator } from '../../../packages/facilitator-server/src/testing.ts'
import { hasBrowser, storePicture, type Tab, type View } from './browser.ts'
import { checkPage } from './check-page.ts'
import { type ConsoleFixture, startConsole } from './console-fixture.ts'

const views: readonly View[] = [
  { width: 1280, scheme: 'light' },
  { width: 390, scheme: 'dark' },
]
const OPERATOR_TOKEN = 'operator-token-of-the-console-0123456789'
const GRANT = 20_000_000_000_000n

describe.skipIf(!hasBrowser)('an operator of a facilitator that signs transactions, at the console', () => {
  const stops = new AsyncDisposableStack()
  let facilitator: TestFacilitator
  let fixture: ConsoleFixture
  beforeAll(async () => {
    facilitator = await testFacilitator({
      chain: await testChain(),
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

  const findList = ({ page }: Tab, name: string, { width }: View) =>
    page.getByRole(width === 390 ? 'list' : 'table', { name, exact: true })

  async function openPage(path: string, view: View): Promise<Tab> {
    const tab = await fixture.openAsOperator(view)
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

  describe.each(views)('at $width pixels in the $scheme theme', (view) => {
    const check = async (tab: Tab, name: string) => {
      await checkPage(tab)
      await storePicture(tab.page, `facilitator ${name} ${view.width} ${view.scheme}`)
    }

    it('sees the gas that wallets received, and which accounts have reached the limit of the day', async () => {
      const full = await giveGas(30, `a${view.width}`)
      const open = await giveGas(3, `b${view.width}`)
      const tab = await openPage('grants', view)
      const { page } = tab
      const today = findList(tab, 'Today', view)
      await today.getByRole('link', { name: `Account ${full}`, exact: true }).waitFor()
      expect(await today.getByText('Limit reached', { exact: true }).count()).toBeGreaterThan(0)
      expect(await today.getByText('10 % used', { exact: true }).count()).toBeGreaterThan(0)
      await check(tab, 'grants')

      const grants = findList(tab, 'Gas for approvals', view)
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
      const wallet = `0x${`b${view.width}`.padEnd(8, '0')}${'2'.padStart(32, '0')}`
      await page.getByRole('searchbox', { name: 'Search by wallet' }).fill(wallet)
      await expect.poll(() => grants.getByRole('link', { name: /^Account/ }).count()).toBe(1)
      await grants.scrollIntoViewIfNeeded()
      await check(tab, 'grants of a wallet')
      await page.getByRole('searchbox', { name: 'Search by wallet' }).fill('0x12')
      await page.getByText('Nothing found').waitFor()
    })
  })
})
