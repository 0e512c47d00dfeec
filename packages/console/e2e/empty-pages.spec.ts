// What pages without rows say: those who may change something read how to begin, and all others read what
// will appear.

import { Role } from '@mintmark/admin'
import { contracts } from '@mintmark/contracts'
import { eventWebhooks } from '@mintmark/events'
import { addressBook } from '@mintmark/wallet'
import { expect, type Page } from '@playwright/test'
import { FAKE_CHAIN_ID } from '../../gateway-server/src/testing/fake-payment-chain.ts'
import { visit } from './check-page.ts'
import { checkViews } from './check-views.ts'
import type { ConsoleFixture } from './console-fixture.ts'
import { consoleTest } from './console-test.ts'

const WALLET = '0x8ba1f109551bd432803012645ac136ddd64dba72'
const OTHER = '0x4e5b2e1dc63f6b91cb6cd759936495434c7e972f'
const DROPS = '0x9b8c7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f2a1b0c'
const LAMPS = '0x1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f7a8b9c0d'
/** How a text asks its reader to change something. */
const INVITATION = /\b(add|create|put|import|send a|write|save|edit|invite)\b/i

const lists = [
  ...['cards/promo-code', 'contracts', 'nfts', 'minting', 'market', 'market/coupons', 'market/auctions'],
  ...[
    'market/offers',
    'market/products',
    'orders',
    'reports',
    'reports?report=redemptions',
    'stores',
    'campaigns',
    'wallets',
    'events',
    'webhooks',
    'keys',
    'audit',
  ],
  ...[`wallets/${WALLET}`, `wallets/${WALLET}?view=book`, `wallets/${WALLET}?view=messages`],
  `wallets/${WALLET}?view=messages&other=${OTHER}`,
]

const test = consoleTest()

test.describe('a page without rows', () => {
  /** Opens pages, and returns what each says instead of rows, by address. */
  async function readEmptyStates(
    app: ConsoleFixture,
    page: Page,
    paths: readonly string[],
  ): Promise<Map<string, string>> {
    const states = new Map<string, string>()
    for (const path of paths) {
      await visit(page, app.at(path))
      const texts = await page.locator('main .empty-state p').allTextContents()
      if (texts.length > 0) states.set(path, texts.join(' '))
    }
    return states
  }

  const listInvitations = (states: ReadonlyMap<string, string>) =>
    [...states].filter(([, text]) => INVITATION.test(text)).map(([path]) => path)

  test('invites nobody to change something who may only read', async ({ app }) => {
    const owner = await app.openAs(Role.OWNER)
    const auditor = await app.openAs(Role.AUDITOR)
    const shown = await readEmptyStates(app, auditor, lists)
    expect(shown.size).toBeGreaterThan(12)
    expect(listInvitations(shown)).toEqual([])
    expect(listInvitations(await readEmptyStates(app, owner, lists)).length).toBeGreaterThan(8)
    await auditor.goto(app.at('market/products'))
    await checkViews(auditor, 'empty products for auditors')
  })

  test('invites nobody to fill a contract or a webhook who may only read', async ({ app }) => {
    const contract = { chainId: FAKE_CHAIN_ID, name: 'Drops' }
    await contracts.add(app.client, { ...contract, nftAddress: DROPS, nftType: 'ERC721' })
    await contracts.add(app.client, { ...contract, nftAddress: LAMPS, nftType: 'ERC1155', name: 'Lamps' })
    const url = 'http://localhost:4242/webhooks/mintmark'
    const { id } = await eventWebhooks.configure(app.client, { url })
    const views = ['phases', 'nfts', 'whitelist', 'settings', 'mints']
    const paths = [
      ...views.map((view) => `minting/${DROPS}?view=${view}`),
      ...[`market/products/${LAMPS}`, `webhooks/${id}`, `contracts/${DROPS}`],
    ]
    const auditor = await app.openAs(Role.AUDITOR)
    const shown = await readEmptyStates(app, auditor, paths)
    expect(shown.size).toBeGreaterThan(4)
    expect(listInvitations(shown)).toEqual([])
    const owner = await app.openAs(Role.OWNER)
    expect(listInvitations(await readEmptyStates(app, owner, paths)).length).toBeGreaterThan(3)
  })

  test('leads from a page after the last one back to the last one', async ({ app }) => {
    for (let count = 0; count < 21; count += 1) {
      await addressBook.add(app.client, {
        owner: OTHER,
        address: `${WALLET.slice(0, -2)}${count + 10}`,
        name: `Entry ${count}`,
      })
    }
    const page = await app.openAs(Role.OWNER)
    const previous = page.getByRole('button', { name: 'Previous' })
    const pages = page.getByRole('navigation', { name: 'Pages of Address book' }).getByRole('status')
    await page.goto(app.at(`wallets/${OTHER}?view=book&page=2`))
    await expect(pages.filter({ hasText: '21–21 of 21' })).toBeVisible()
    await page.getByRole('button', { name: /^Actions for/ }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await expect(pages.filter({ hasText: 'None of 20' })).toBeVisible()
    await previous.click()
    await expect(pages.filter({ hasText: '1–20 of 20' })).toBeVisible()
    await page.goto(app.at(`wallets/${OTHER}?view=book&page=9`))
    await expect(pages.filter({ hasText: 'None of 20' })).toBeVisible()
    await previous.click()
    await expect(pages.filter({ hasText: '1–20 of 20' })).toBeVisible()
  })

  test('says to staff what will appear', async ({ app }) => {
    const staff = await app.openAs(Role.STAFF)
    const shown = await readEmptyStates(app, staff, ['cards/event', 'cards/membership'])
    expect(shown.size).toBe(2)
    expect(listInvitations(shown)).toEqual([])
  })
})
