// People sell and mint with the console, against a sandbox: contracts, NFTs, minting, the market and wallets.

import { readFile } from 'node:fs/promises'
import { contracts, lazyMinting, nfts } from '@mintmark/contracts'
import { events } from '@mintmark/events'
import { auctions, commonSales, couponCodes, offers, productCards } from '@mintmark/market'
import { orders } from '@mintmark/orders'
import { addressBook, walletInfo, words } from '@mintmark/wallet'
import { expect, type Page } from '@playwright/test'
import { createWalletClient, getAddress, type Hex, http } from 'viem'
import { insertPhase } from '../app/components/minting/phases.ts'
import { visit } from './check-page.ts'
import { checkViews } from './check-views.ts'
import { sandboxTest } from './console-test.ts'
import type { ConsoleSandbox } from './sandbox-fixture.ts'

/** Addresses that differ from test to test. */
let addresses = 0
const newAddress = () => {
  addresses += 1
  return `0x${(0xc0ffee0000 + addresses).toString(16).padStart(40, '0')}`
}
const DAY_MS = 86_400_000
const after = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString()

const test = sandboxTest()

test.describe('selling with the console', () => {
  /** Opens a page as a manager. */
  const open = (app: ConsoleSandbox, path: string) => app.openAs('manager', { path })

  /** Adds a contract with one token that the seller owns. */
  async function addToken(
    app: ConsoleSandbox,
    name: string,
    quantity = 1,
  ): Promise<{ nftAddress: string; nftId: string }> {
    const { chainId, seller } = app
    const { gateway } = app.sandbox
    const nftAddress = newAddress()
    const nftType = quantity === 1 ? 'ERC721' : 'ERC1155'
    await contracts.add(gateway, { nftAddress, chainId, nftType, name: `${name} collection` })
    await nfts.add(gateway, { nftAddress, nftId: '7', name, owner: seller, quantity })
    return { nftAddress, nftId: '7' }
  }

  /** Selects the option of a token in a form. */
  async function selectToken(page: Page, name: string): Promise<void> {
    const field = page.getByRole('dialog').getByLabel('Token', { exact: true })
    const option = field.locator('option').filter({ hasText: `${name} #7` })
    await expect(option).toBeAttached()
    await field.selectOption(await option.getAttribute('value'))
  }

  test('lets a manager add a contract, and names the field that is wrong', async ({ app }) => {
    const { chainId } = app
    const page = await open(app, 'contracts')
    const nftAddress = newAddress()
    await page.getByRole('button', { name: 'Add contract' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add contract' })
    await dialog.getByLabel('Name').fill('Harbour prints')
    await dialog.getByLabel('Address', { exact: true }).fill('0x12')
    await dialog.getByLabel('Chain id').fill(chainId)
    await dialog.getByRole('button', { name: 'Add contract' }).click()
    await expect(dialog.getByText('Enter an address: 0x and 40 hexadecimal digits')).toBeVisible()
    await checkViews(page, 'contract-wrong')
    await dialog.getByLabel('Address', { exact: true }).fill(nftAddress)
    await dialog.getByRole('button', { name: 'Add contract' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Harbour prints' })).toBeVisible()
    await checkViews(page, 'contract')
    expect(await contracts.get(app.sandbox.gateway, { nftAddress })).toMatchObject({
      name: 'Harbour prints',
      nftType: 'ERC721',
      chainId,
    })
  })

  test('lets a manager add an NFT with an image, and find it by its name', async ({ app }) => {
    const { chainId, seller } = app
    const nftAddress = newAddress()
    const contract = { nftAddress, chainId, nftType: 'ERC721', name: 'Found prints' }
    await contracts.add(app.sandbox.gateway, contract)
    const page = await open(app, 'nfts')
    await page.getByRole('button', { name: 'Add NFT' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add NFT' })
    await dialog.getByLabel('Contract').selectOption(nftAddress)
    await dialog.getByLabel('Token id').fill('7')
    await dialog.getByLabel('Name').fill('Lighthouse at dawn')
    await dialog.getByLabel('Image').fill('https://images.example/lighthouse.png')
    await dialog.getByLabel('First owner').fill(seller)
    await dialog.getByLabel('Properties').fill('paper: cotton')
    await expect(dialog.getByRole('img', { name: 'Preview of the image' })).toBeVisible()
    await dialog.getByRole('button', { name: 'Add NFT' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Lighthouse at dawn' })).toBeVisible()
    await expect(page.getByText('100% have this')).toBeVisible()
    await checkViews(page, 'nft')
    await page.goto(app.at('nfts'))
    await page.getByRole('main').getByRole('searchbox').fill('lighthouse')
    const tiles = page.getByRole('list', { name: 'NFTs' }).getByRole('listitem')
    await expect(tiles).toHaveText(['Lighthouse at dawn#7'])
    const image = tiles.locator('img')
    await expect
      .poll(() => image.evaluate((element) => (element as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(0)
    await checkViews(page, 'nft-found')
  })

  test('lets a manager set up a minting phase, and adds 200 wallets but not the two wrong lines', async ({
    app,
  }) => {
    const { gateway } = app.sandbox
    const { nftAddress } = await addToken(app, 'Mintable')
    const page = await open(app, `minting/${nftAddress}`)
    await page.getByRole('button', { name: 'Add phase' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add phase' })
    await dialog.getByLabel('Name').fill('early')
    await dialog.getByLabel('Price of one token').fill('0.25')
    await dialog.getByLabel('Limit for each wallet').fill('2')
    await dialog.getByLabel('Who may mint').selectOption('Wallets on the whitelist')
    await dialog.getByRole('button', { name: 'Add phase' }).click()
    const phases = page.getByRole('list', { name: 'Phases' })
    await expect(phases.getByText('Open', { exact: true })).toBeVisible()
    await expect(phases.getByText('0.25 ETH')).toBeVisible()
    await checkViews(page, 'phase')

    await page.getByRole('link', { name: 'Whitelist' }).click()
    await page.getByRole('button', { name: 'Add wallets' }).click()
    const lines = Array.from({ length: 202 }, newAddress)
    lines[16] = '0x1234'
    lines[119] = 'Ada Lovelace'
    const adding = page.getByRole('dialog', { name: 'Add wallets to early' })
    await adding.getByLabel('Addresses').fill(lines.join('\n'))
    await expect(adding.getByText('2 lines are wrong')).toBeVisible()
    await expect(adding.getByText('Line 17: 0x1234')).toBeVisible()
    await expect(adding.getByText('Line 120: Ada Lovelace')).toBeVisible()
    await checkViews(page, 'whitelist-report')
    await adding.getByRole('button', { name: 'Add 200 wallets' }).click()
    await expect(page.getByText('1–20 of 200')).toBeVisible()
    await checkViews(page, 'whitelist')
    const whitelist = await lazyMinting.whitelist(gateway, { nftAddress, phase: 'early' })
    expect(whitelist.totalRow).toBe(200)
    const { phases: stored } = await lazyMinting.presale(gateway, { nftAddress })
    expect(stored).toMatchObject([
      { name: 'early', price: '250000000000000000', limitPerWallet: 2, whitelistMode: 'LIST' },
    ])
  })

  for (const section of ['minting', 'market/products']) {
    test(`keeps the phase that a colleague adds while a manager adds, changes or removes another one at ${section}`, async ({
      app,
    }) => {
      const { gateway } = app.sandbox
      const program = section === 'minting' ? lazyMinting : productCards
      const { nftAddress } = await addToken(app, 'Shared')
      const phaseOf = (name: string, days: number) => ({ name, startTime: after(days * DAY_MS), price: '5' })
      const listPhases = async () => (await program.presale(gateway, { nftAddress })).phases
      const listNames = async () => (await listPhases()).map(({ name }) => name)
      await program.updatePresale(gateway, { nftAddress, phases: [phaseOf('first', 1)] })
      const page = await open(app, `${section}/${nftAddress}`)
      const shown = page.getByRole('list', { name: 'Phases' })
      /** Adds a phase as a colleague, below the dialog that is open. */
      const addAsColleague = async (name: string, days: number) => {
        const { phases } = insertPhase(await listPhases(), phaseOf(name, days), undefined)
        await program.updatePresale(gateway, { nftAddress, phases: [...phases] })
        await expect(shown.getByText(name, { exact: true })).toBeVisible()
      }
      const choose = async (action: string) => {
        await page.getByRole('button', { name: 'Actions for first' }).click()
        await page.getByRole('menuitem', { name: action }).click()
      }
      const dialog = page.getByRole('dialog')
      const save = async (action: string) => {
        await dialog.getByRole('button', { name: action }).click()
        await expect(dialog).toHaveCount(0)
      }

      await page.getByRole('button', { name: 'Add phase' }).click()
      await dialog.getByLabel('Name').fill('own')
      await dialog.getByLabel('Price of one token').fill('0.25')
      await addAsColleague('second', 2)
      await save('Add phase')
      expect(await listNames()).toEqual(['own', 'first', 'second'])

      await choose('Edit')
      await dialog.getByLabel('Limit for each wallet').fill('3')
      await addAsColleague('third', 3)
      await save('Save')
      expect(await listPhases()).toMatchObject([
        { name: 'own' },
        { name: 'first', limitPerWallet: 3 },
        { name: 'second' },
        { name: 'third' },
      ])

      await choose('End and remove')
      await expect(dialog.getByText('The phase ends at once.')).toBeVisible()
      await addAsColleague('fourth', 4)
      await save('End and remove')
      expect(await listNames()).toEqual(['own', 'second', 'third', 'fourth'])
    })
  }

  test('lets a manager put a common sale on the shelf and take it off', async ({ app }) => {
    const { nftAddress } = await addToken(app, 'Pier', 10)
    const page = await open(app, 'market')
    await page.getByRole('button', { name: 'Put on the shelf' }).click()
    await selectToken(page, 'Pier')
    const dialog = page.getByRole('dialog', { name: 'Put on the shelf' })
    await dialog.getByLabel('Units').fill('4')
    await dialog.getByLabel('Price of one unit').fill('0.0015')
    await dialog.getByRole('button', { name: 'Put on the shelf' }).click()
    await expect(page.getByText('On the shelf', { exact: true })).toBeVisible()
    await expect(page.getByText('0.0015 ETH')).toBeVisible()
    await checkViews(page, 'listing')
    const { list } = await commonSales.list(app.sandbox.gateway, { nftAddress })
    expect(list).toMatchObject([{ payPrice: '1500000000000000', quantity: 4, status: 'ON' }])

    await page.getByRole('button', { name: 'Take off the shelf' }).click()
    const question = page.getByRole('dialog', { name: /Take Pier.* off the shelf\?/ })
    await expect(question.getByText('4 units that nobody has ordered')).toBeVisible()
    await question.getByRole('button', { name: 'Take off the shelf' }).click()
    await expect(page.getByText('Taken off', { exact: true })).toBeVisible()
    await checkViews(page, 'listing-closed')
    const [listing] = list
    const closed = await commonSales.get(app.sandbox.gateway, { id: listing?.id ?? 0 })
    expect(closed.status).toBe('OFF')
  })

  test('lets a manager create a coupon whose amounts are in whole tokens, and shows them so', async ({
    app,
  }) => {
    const { gateway } = app.sandbox
    const { list } = await commonSales.list(gateway, { pageSize: 1 })
    const [sold] = list
    if (sold === undefined) throw new Error('The sandbox has no listing')
    const { payTokenAddress, payTokenDecimals, nftAddress, nftId } = sold
    const page = await open(app, 'market/coupons')
    await page.getByRole('button', { name: 'Create coupon' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create coupon' })
    await dialog.getByLabel('Kind of discount').selectOption('2')
    await dialog.getByLabel('Amount off an order').fill('0.25')
    await dialog.getByRole('button', { name: 'Create coupon' }).click()
    await expect(dialog.getByText('Enter a value')).toBeVisible()
    await dialog
      .getByLabel('Token of the listings')
      .selectOption(`${sold.chainId} ${payTokenAddress.toLowerCase()}`)
    await dialog.getByLabel('Minimum of an order').fill('1')
    await checkViews(page, 'coupon-amounts')
    await dialog.getByRole('button', { name: 'Create coupon' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    const row = page.getByRole('row').filter({ hasText: 'base units of the listing’s token off' }).first()
    const name = (await row.getByRole('button').first().textContent()) ?? ''
    const couponId = Number(/\d+/.exec(name)?.[0])
    const unit = 10n ** BigInt(payTokenDecimals)
    const listing = await couponCodes.putOnShelf(gateway, {
      seller: sold.seller,
      nftAddress,
      nftId,
      quantity: 1,
      payTokenAddress,
      couponId,
      payPrice: String(unit * 5n),
    })
    expect(listing.coupon).toMatchObject({ value: String(unit / 4n), minimumAmount: String(unit) })
    await expect(
      page
        .getByRole('row')
        .filter({ hasText: name })
        .filter({ hasText: /0\.25 \S+ off an order/ }),
    ).toBeVisible()
    await page.getByRole('button', { name, exact: true }).click()
    await expect(page.getByRole('dialog', { name }).getByText(/^1 \S+$/)).toBeVisible()
    await checkViews(page, 'coupon-in-tokens')
  })

  test('A manager creates a coupon with ten codes for a mailing', { tag: '@manager' }, async ({ app }) => {
    const page = await open(app, 'market/coupons')
    await page.getByRole('button', { name: 'Create coupon' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create coupon' })
    await dialog.getByLabel('Discount in percent').fill('12.5')
    await dialog.getByLabel('Number of codes').fill('10')
    await dialog.getByRole('button', { name: 'Create coupon' }).click()
    const codes = page.getByRole('dialog').getByRole('list', { name: 'Codes' }).getByRole('listitem')
    await expect(codes.first()).toBeVisible()
    const shown = await codes.allTextContents()
    expect(new Set(shown).size).toBe(10)
    await checkViews(page, 'coupon-codes')
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download as CSV' }).click()
    const rows = (await readFile(await (await downloading).path(), 'utf8')).trim().split('\r\n')
    expect(rows[0]).toBe('code,coupon')
    expect(rows.slice(1).map((row) => row.split(',')[0])).toEqual(shown)
    await page.getByRole('button', { name: 'Done' }).click()
    await expect(page.getByRole('row').filter({ hasText: '12.5% off' })).toBeVisible()
    await checkViews(page, 'coupons')
  })

  test('shows a manager each new bid of an auction in its chart without reloading', async ({ app }) => {
    const { buyer } = app
    await addToken(app, 'Kite')
    const { gateway } = app.sandbox
    const page = await open(app, 'market/auctions')
    await page.getByRole('button', { name: 'Create auction' }).click()
    await selectToken(page, 'Kite')
    const dialog = page.getByRole('dialog', { name: 'Create auction' })
    await dialog.getByLabel('Lowest first bid').fill('1')
    await dialog.getByRole('button', { name: 'Create auction' }).click()
    await expect(page.getByText('No bids yet')).toBeVisible()
    await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
    const auctionId = Number(/auctions\/(\d+)/.exec(page.url())?.[1])

    const bids = page.getByRole('table', { name: 'Bids' }).getByRole('row')
    await auctions.bid(gateway, { auctionId, bidder: buyer, amount: '1000000000000000000' })
    const chart = page.getByRole('img', { name: 'Bids over time' }).locator('canvas')
    await expect(chart).toBeVisible()
    await expect(bids.filter({ hasText: '1 ETH' })).toBeVisible()
    const drawn = await chart.evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL())
    const bidder = newAddress()
    await auctions.bid(gateway, { auctionId, bidder, amount: '2500000000000000000' })
    await expect(bids.filter({ hasText: '2.5 ETH' })).toBeVisible()
    await expect
      .poll(() => chart.evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL()))
      .not.toBe(drawn)
    expect(await page.evaluate(() => 'isSamePage' in globalThis)).toBe(true)
    await expect(page.locator('.u-legend')).toHaveText(/^Bid2 · /)
    await expect(page.getByRole('definition').filter({ hasText: /^15 min$/ })).toBeVisible()
    await checkViews(page, 'auction')
    await page.getByRole('button', { name: 'Show the figures as a table' }).click()
    await expect(page.getByRole('table', { name: 'Bids over time' }).getByText('2.5')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Cancel the auction' })).toHaveCount(0)
  })

  test('shows a manager a bid that was placed after the page was read and before events arrived', async ({
    app,
  }) => {
    const { seller, buyer } = app
    const { gateway } = app.sandbox
    const token = await addToken(app, 'Heron')
    const terms = { startTime: after(0), endTime: after(DAY_MS), minimumBidAmount: '1', quantity: 1 }
    const { id: auctionId } = await auctions.create(gateway, { ...token, ...terms, seller })
    const page = await app.openAs('manager')
    const released = Promise.withResolvers<void>()
    await page.route('**/api/v1/events?*', async (route) => {
      await released.promise
      await route.continue()
    })
    await page.goto(app.at(`market/auctions/${auctionId}`))
    await expect(page.getByText('No bids yet')).toBeVisible()
    const { newest } = await events.list(gateway, { limit: 1 })
    await auctions.bid(gateway, { auctionId, bidder: buyer, amount: '3000000000000000000' })
    await expect.poll(async () => (await events.list(gateway, { limit: 1 })).newest).toBeGreaterThan(newest)
    released.resolve()
    await expect(page.getByRole('table', { name: 'Bids' }).getByText('3 ETH')).toBeVisible()
  })

  test('lets a manager accept an offer', async ({ app }) => {
    const { buyer } = app
    const { gateway } = app.sandbox
    const token = await addToken(app, 'Crane')
    const expireTime = after(DAY_MS)
    const offer = { ...token, offerer: buyer, quantity: 1, totalPrice: '3000000000000000000', expireTime }
    await offers.create(gateway, offer)
    const page = await open(app, 'market/offers')
    const row = page.getByRole('row').filter({ hasText: 'Crane collection' })
    await expect(row.getByText('3 ETH')).toBeVisible()
    await row.getByRole('button', { name: 'Accept' }).click()
    const dialog = page.getByRole('dialog', { name: /Accept the offer for Crane/ })
    await expect(dialog.getByText('for 3 ETH')).toBeVisible()
    await checkViews(page, 'offer-question')
    await dialog.getByRole('button', { name: 'Accept the offer' }).click()
    await expect(row.getByText('Accepted')).toBeVisible()
    await expect(row.getByRole('button', { name: 'Reject' })).toHaveCount(0)
    await checkViews(page, 'offers')
    const { list } = await offers.mine(gateway, { address: buyer, status: 'ACCEPTED' })
    expect(list.map(({ nftAddress }) => nftAddress)).toContain(token.nftAddress)
  })

  test('says to choose a wallet before it lists offers', async ({ app }) => {
    const { buyer } = app
    const page = await open(app, 'market/offers?wallet=nobody')
    await expect(page.getByText('Choose a wallet', { exact: true })).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
    await page.getByLabel('Wallet', { exact: true }).fill(buyer)
    await expect(page.getByText('No offers received')).toBeVisible()
  })

  test('A manager gives the money of an underpaid order back', { tag: '@manager' }, async ({ app }) => {
    const { seller, buyer } = app
    const { gateway, chain, transferToken } = app.sandbox
    const token = await addToken(app, 'Herring')
    const price = { payPrice: '4000000', payTokenAddress: chain.token }
    const listing = await commonSales.putOnShelf(gateway, { ...token, ...price, seller, quantity: 1 })
    const order = await orders.preOrder(gateway, { listingId: listing.id, quantity: 1, recipient: buyer })
    const { orderNo } = order
    const hash = await transferToken({ to: seller, amount: 1_500_000n })
    await orders.payOrder(gateway, { orderNo, recipient: buyer, hash })
    const page = await open(app, `orders/${orderNo}`)
    const giveBack = page.getByRole('button', { name: 'Give the money back' })
    await expect
      .poll(async () => {
        await chain.mine()
        return await giveBack.count()
      })
      .toBe(1)
    await checkViews(page, 'order-underpaid')
    await giveBack.click()
    const question = page.getByRole('dialog', { name: 'Give the money back?' })
    await checkViews(page, 'order-give-back')
    await question.getByRole('button', { name: 'Give the money back' }).click()
    await expect(page.getByText('Refund due')).toBeVisible()
    await expect(page.getByText('1.5 USDC').first()).toBeVisible()
    await checkViews(page, 'order-refund-due')
    const { transfer } = await orders.getRefunds(gateway, { orderNo })
    const wallet = createWalletClient({ transport: http(chain.rpcUrl) })
    const refund = await wallet.sendTransaction({
      account: getAddress(transfer?.from ?? ''),
      chain: null,
      to: getAddress(transfer?.to ?? ''),
      data: transfer?.data as Hex,
    })
    await page.getByRole('button', { name: 'Record refund' }).click()
    const form = page.getByRole('dialog', { name: 'Record a refund' })
    await form.getByLabel('Transaction').fill(hash)
    await form.getByRole('button', { name: 'Record refund' }).click()
    await expect(form.getByText('This transaction did not pay the buyer back')).toBeVisible()
    await checkViews(page, 'order-refund-wrong')
    await chain.mine(2)
    await form.getByLabel('Transaction').fill(refund)
    await form.getByRole('button', { name: 'Record refund' }).click()
    await expect(form).toBeHidden()
    await expect(page.getByText('Paid back', { exact: true })).toBeVisible()
    await expect(page.getByText('Refund due')).toHaveCount(0)
    await checkViews(page, 'order-refunded')
  })

  test('lets a manager add an entry to an address book', async ({ app }) => {
    const { seller } = app
    const page = await open(app, `wallets/${seller}?view=book`)
    const address = newAddress()
    await page.getByRole('button', { name: 'Add address' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add address' })
    await dialog.getByLabel('Name').fill('Gallery Nord')
    await dialog.getByLabel('Address', { exact: true }).fill(address)
    await dialog.getByLabel('Note').fill('Pays by invoice')
    await dialog.getByRole('button', { name: 'Add address' }).click()
    await expect(
      page.getByRole('row').filter({ hasText: 'Gallery Nord' }).getByText('Pays by invoice'),
    ).toBeVisible()
    await checkViews(page, 'address-book')
    const { list } = await addressBook.list(app.sandbox.gateway, { owner: seller, keyword: 'nord' })
    expect(list).toMatchObject([{ address, name: 'Gallery Nord', remark: 'Pays by invoice' }])
  })

  test('shows auditors the market, and lets them change nothing', async ({ app }) => {
    test.slow()
    const { seller } = app
    const { gateway } = app.sandbox
    const token = await addToken(app, 'Vault')
    const listing = await commonSales.putOnShelf(gateway, { ...token, seller, quantity: 1, payPrice: '5' })
    const page = await app.openAs('auditor')
    const paths = [
      ...['market', `market/listings/common/${listing.id}`, 'market/coupons', 'market/auctions'],
      ...['market/offers', `market/products/${token.nftAddress}`, 'contracts', 'nfts'],
      ...[`contracts/${token.nftAddress}`, `nfts/${token.nftAddress}/7`, `minting/${token.nftAddress}`],
      ...[`wallets/${seller}`, `wallets/${seller}?view=book`, `wallets/${seller}?view=messages`],
    ]
    const change = /\b(add|put|take|create|cancel|accept|reject|remove|edit|import|send|mark|actions)\b/i
    for (const path of paths) {
      await visit(page, app.at(path))
      const names = await page.getByRole('main').getByRole('button').allTextContents()
      expect(
        names.filter((name) => change.test(name)),
        path,
      ).toEqual([])
      expect(await page.getByRole('main').getByRole('button', { name: change }).count(), path).toBe(0)
    }
    const { origin } = new URL(page.url())
    const projectId = /\/p\/(\d+)\//.exec(app.at(''))?.[1] ?? ''
    const response = await page.request.post(`${origin}/api/v1/market/common/takeOffShelf`, {
      headers: { origin, 'x-mintmark-session': projectId },
      data: { id: listing.id },
    })
    expect(response.status()).toBe(403)
    expect((await commonSales.get(gateway, { id: listing.id })).status).toBe('ON')
  })

  test('runs no script that a tenant wrote, on any page', async ({ app }) => {
    test.slow()
    const { pages } = await writeHostileTexts(app)
    const page = await app.openAs('manager')
    const dialogs: string[] = []
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message())
      void dialog.dismiss()
    })
    for (const path of pages) {
      await page.goto(app.at(path))
      await expect.poll(() => page.getByText('<script>').count(), { message: path }).toBeGreaterThan(0)
      await checkViews(page, `hostile-${path.replaceAll(/\W+/g, '-').slice(0, 40)}`)
      const found = await page.evaluate(() => ({
        hasRun: 'evilRuns' in globalThis,
        images: document.querySelectorAll(
          'img:not([src^="/console/images?address=https"]), iframe, object, embed',
        ).length,
        links: document.querySelectorAll('[href^="javascript:" i], [src^="javascript:" i]').length,
        scripts: document.querySelectorAll('main script').length,
      }))
      expect(found, path).toEqual({ hasRun: false, images: 0, links: 0, scripts: 0 })
    }
    expect(dialogs).toEqual([])
  })

  const EVIL = `"'><img src=x onerror="evilRuns=1;alert(1)"><script>evilRuns=1;alert(2)</script>`
  const EVIL_ADDRESS = `picture.png" onerror="evilRuns=1;alert(3)`

  /** Writes texts that are scripts wherever a tenant can write, and returns the pages that show them. */
  async function writeHostileTexts(app: ConsoleSandbox): Promise<{ readonly pages: readonly string[] }> {
    const { chainId, seller } = app
    const { gateway } = app.sandbox
    const nftAddress = newAddress()
    const wallet = newAddress()
    const shared = {
      description: EVIL,
      imgUrl: EVIL_ADDRESS,
      properties: [{ trait_type: EVIL, value: EVIL }],
    }
    const { properties, ...details } = shared
    const token = { nftAddress, nftId: EVIL }
    const contract = { nftAddress, chainId, nftType: 'ERC1155', name: EVIL, symbol: EVIL, contractType: EVIL }
    await contracts.add(gateway, { ...contract, ...details, owner: seller })
    const media = { tokenUri: EVIL_ADDRESS, mediaFileUrl: EVIL_ADDRESS }
    await nfts.add(gateway, { ...token, ...shared, ...media, name: EVIL, owner: seller, quantity: 100 })
    const sale = { ...token, seller, quantity: 1 }
    const listing = await commonSales.putOnShelf(gateway, { ...sale, payPrice: '5' })
    const times = { startTime: after(0), endTime: after(DAY_MS) }
    const auction = await auctions.create(gateway, { ...sale, ...times, minimumBidAmount: '5' })
    const offer = { ...token, offerer: wallet, quantity: 1, totalPrice: '5', expireTime: after(DAY_MS) }
    await offers.create(gateway, offer)
    await lazyMinting.addNft(gateway, { ...shared, nftAddress, name: EVIL, tokenUri: EVIL_ADDRESS })
    const phase = { name: EVIL, startTime: after(-DAY_MS), price: '5' }
    await lazyMinting.updatePresale(gateway, { nftAddress, phases: [phase] })
    await lazyMinting.updatePreviews(gateway, { nftAddress, items: [{ url: EVIL_ADDRESS, name: EVIL }] })
    await productCards.addNftInfo(gateway, { ...shared, nftAddress, name: EVIL, owner: seller })
    await productCards.updatePresale(gateway, { nftAddress, phases: [phase] })
    const pictures = { profilePhoto: EVIL_ADDRESS, background: EVIL_ADDRESS }
    await walletInfo.add(gateway, { address: wallet, name: EVIL, description: EVIL, ...pictures })
    await addressBook.add(gateway, { owner: wallet, address: seller, name: EVIL, remark: EVIL })
    await words.add(gateway, { sender: wallet, recipient: seller, content: EVIL })
    const views = ['phases', 'nfts', 'whitelist', 'settings'].map(
      (view) => `minting/${nftAddress}?view=${view}`,
    )
    return {
      pages: [
        ...['contracts', `contracts/${nftAddress}`, 'nfts', 'nfts?view=list', 'minting', ...views],
        ...[
          `nfts/${nftAddress}/${encodeURIComponent(EVIL)}`,
          'market',
          `market/listings/common/${listing.id}`,
        ],
        ...['market/auctions', `market/auctions/${auction.id}`, 'market/offers', 'market/products'],
        ...[`market/products/${nftAddress}`, 'wallets', `wallets/${wallet}`, `wallets/${wallet}?view=book`],
        ...[`wallets/${seller}?view=messages`, `wallets/${seller}?view=messages&other=${wallet}`],
      ],
    }
  }

  test('lets a manager sell a token from its page, to which Back leads', async ({ app }) => {
    const { nftAddress, nftId } = await addToken(app, 'Dune')
    const page = await open(app, `nfts/${nftAddress}/${nftId}`)
    await page.getByRole('link', { name: 'Put on the shelf' }).click()
    const dialog = page.getByRole('dialog', { name: 'Put on the shelf' })
    await dialog.getByLabel('Price of one unit').fill('2')
    await dialog.getByRole('button', { name: 'Put on the shelf' }).click()
    await expect(page.getByText('On the shelf', { exact: true })).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('heading', { level: 1, name: 'Dune', exact: true })).toBeVisible()
  })
})
