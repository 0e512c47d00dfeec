// People sell and mint with the console, against a sandbox: contracts, NFTs, minting, the market and wallets.
import { readFile } from 'node:fs/promises'
import { contracts, lazyMinting, nfts } from '@mintmark/contracts'
import { events } from '@mintmark/events'
import { auctions, commonSales, couponCodes, offers, productCards } from '@mintmark/market'
import { orders } from '@mintmark/orders'
import { addressBook, walletInfo, words } from '@mintmark/wallet'
import { createWalletClient, getAddress, type Hex, http } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertPhase } from '../../../packages/console/app/components/minting/phases.ts'
import { hasBrowser, type Tab } from './browser.ts'
import { waitForPage } from './check-page.ts'
import { checkViews } from './check-views.ts'
import { type ConsoleSandbox, startConsoleSandbox } from './sandbox-fixture.ts'

/** Addresses that differ from test to test. */
let addresses = 0
const newAddress = () => {
  addresses += 1
  return `0x${(0xc0ffee0000 + addresses).toString(16).padStart(40, '0')}`
}
const DAY_MS = 86_400_000
/** For tests that check many pages, each in four views. */
const MANY_PAGES_MS = 600_000
const after = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString()

describe.skipIf(!hasBrowser)('selling with the console', () => {
  let fixture: ConsoleSandbox
  let chainId: string
  let seller: string
  let buyer: string
  beforeAll(async () => {
    fixture = await startConsoleSandbox()
    const { accounts, credentials } = fixture.sandbox
    chainId = String(credentials.chain.chainId)
    seller = accounts.creator.address.toLowerCase()
    buyer = accounts.buyer.address.toLowerCase()
  })
  afterAll(() => fixture[Symbol.asyncDispose]())

  /** Opens a page as a manager. */
  async function open(path: string): Promise<Tab> {
    const tab = await fixture.openAs('manager')
    await tab.page.goto(fixture.at(path))
    await tab.page.getByRole('heading', { level: 1 }).waitFor()
    return tab
  }

  /** Adds a contract with one token that the seller owns. */
  async function addToken(name: string, quantity = 1): Promise<{ nftAddress: string; nftId: string }> {
    const { gateway } = fixture.sandbox
    const nftAddress = newAddress()
    const nftType = quantity === 1 ? 'ERC721' : 'ERC1155'
    await contracts.add(gateway, { nftAddress, chainId, nftType, name: `${name} collection` })
    await nfts.add(gateway, { nftAddress, nftId: '7', name, owner: seller, quantity })
    return { nftAddress, nftId: '7' }
  }

  /** Selects the option of a token in a form. */
  async function selectToken({ page }: Tab, name: string): Promise<void> {
    const field = page.getByRole('dialog').getByLabel('Token', { exact: true })
    const option = field.locator('option').filter({ hasText: `${name} #7` })
    await option.waitFor({ state: 'attached' })
    await field.selectOption(await option.getAttribute('value'))
  }

  it('lets a manager add a contract, and names the field that is wrong', async () => {
    const tab = await open('contracts')
    const { page } = tab
    const nftAddress = newAddress()
    await page.getByRole('button', { name: 'Add contract' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add contract' })
    await dialog.getByLabel('Name').fill('Harbour prints')
    await dialog.getByLabel('Address', { exact: true }).fill('0x12')
    await dialog.getByLabel('Chain id').fill(chainId)
    await dialog.getByRole('button', { name: 'Add contract' }).click()
    await dialog.getByText('Enter an address: 0x and 40 hexadecimal digits').waitFor()
    await checkViews(tab, 'contract-wrong')
    await dialog.getByLabel('Address', { exact: true }).fill(nftAddress)
    await dialog.getByRole('button', { name: 'Add contract' }).click()
    await page.getByRole('heading', { level: 1, name: 'Harbour prints' }).waitFor()
    await checkViews(tab, 'contract')
    expect(await contracts.get(fixture.sandbox.gateway, { nftAddress })).toMatchObject({
      name: 'Harbour prints',
      nftType: 'ERC721',
      chainId,
    })
  })

  it('lets a manager add an NFT with an image, and find it by its name', async () => {
    const nftAddress = newAddress()
    const contract = { nftAddress, chainId, nftType: 'ERC721', name: 'Found prints' }
    await contracts.add(fixture.sandbox.gateway, contract)
    const tab = await open('nfts')
    const { page } = tab
    await page.getByRole('button', { name: 'Add NFT' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add NFT' })
    await dialog.getByLabel('Contract').selectOption(nftAddress)
    await dialog.getByLabel('Token id').fill('7')
    await dialog.getByLabel('Name').fill('Lighthouse at dawn')
    await dialog.getByLabel('Image').fill('https://images.example/lighthouse.png')
    await dialog.getByLabel('First owner').fill(seller)
    await dialog.getByLabel('Properties').fill('paper: cotton')
    await dialog.getByRole('img', { name: 'Preview of the image' }).waitFor()
    await dialog.getByRole('button', { name: 'Add NFT' }).click()
    await page.getByRole('heading', { level: 1, name: 'Lighthouse at dawn' }).waitFor()
    await page.getByText('100% have this').waitFor()
    await checkViews(tab, 'nft')
    await page.goto(fixture.at('nfts'))
    await page.getByRole('main').getByRole('searchbox').fill('lighthouse')
    const tiles = page.getByRole('list', { name: 'NFTs' }).getByRole('listitem')
    await expect.poll(() => tiles.allTextContents()).toEqual(['Lighthouse at dawn#7'])
    const image = tiles.locator('img')
    await expect
      .poll(() => image.evaluate((element) => (element as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(0)
    await checkViews(tab, 'nft-found')
  })

  it('lets a manager set up a minting phase, and adds 200 wallets but not the two wrong lines', async () => {
    const { gateway } = fixture.sandbox
    const { nftAddress } = await addToken('Mintable')
    const tab = await open(`minting/${nftAddress}`)
    const { page } = tab
    await page.getByRole('button', { name: 'Add phase' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add phase' })
    await dialog.getByLabel('Name').fill('early')
    await dialog.getByLabel('Price of one token').fill('0.25')
    await dialog.getByLabel('Limit for each wallet').fill('2')
    await dialog.getByLabel('Who may mint').selectOption('Wallets on the whitelist')
    await dialog.getByRole('button', { name: 'Add phase' }).click()
    const phases = page.getByRole('list', { name: 'Phases' })
    await phases.getByText('Open', { exact: true }).waitFor()
    await phases.getByText('0.25 ETH').waitFor()
    await checkViews(tab, 'phase')

    await page.getByRole('link', { name: 'Whitelist' }).click()
    await page.getByRole('button', { name: 'Add wallets' }).click()
    const lines = Array.from({ length: 202 }, newAddress)
    lines[16] = '0x1234'
    lines[119] = 'Ada Lovelace'
    const adding = page.getByRole('dialog', { name: 'Add wallets to early' })
    await adding.getByLabel('Addresses').fill(lines.join('\n'))
    await adding.getByText('2 lines are wrong').waitFor()
    await adding.getByText('Line 17: 0x1234').waitFor()
    await adding.getByText('Line 120: Ada Lovelace').waitFor()
    await checkViews(tab, 'whitelist-report')
    await adding.getByRole('button', { name: 'Add 200 wallets' }).click()
    await page.getByText('1–20 of 200').waitFor()
    await checkViews(tab, 'whitelist')
    const whitelist = await lazyMinting.whitelist(gateway, { nftAddress, phase: 'early' })
    expect(whitelist.totalRow).toBe(200)
    const { phases: stored } = await lazyMinting.presale(gateway, { nftAddress })
    expect(stored).toMatchObject([
      { name: 'early', price: '250000000000000000', limitPerWallet: 2, whitelistMode: 'LIST' },
    ])
  })

  it.each(['minting', 'market/products'])(
    'keeps the phase that a colleague adds while a manager adds, changes or removes another one at %s',
    async (section) => {
      const { gateway } = fixture.sandbox
      const program = section === 'minting' ? lazyMinting : productCards
      const { nftAddress } = await addToken('Shared')
      const phaseOf = (name: string, days: number) => ({ name, startTime: after(days * DAY_MS), price: '5' })
      const listPhases = async () => (await program.presale(gateway, { nftAddress })).phases
      const listNames = async () => (await listPhases()).map(({ name }) => name)
      await program.updatePresale(gateway, { nftAddress, phases: [phaseOf('first', 1)] })
      const { page } = await open(`${section}/${nftAddress}`)
      const shown = page.getByRole('list', { name: 'Phases' })
      /** Adds a phase as a colleague, below the dialog that is open. */
      const addAsColleague = async (name: string, days: number) => {
        const { phases } = insertPhase(await listPhases(), phaseOf(name, days), undefined)
        await program.updatePresale(gateway, { nftAddress, phases: [...phases] })
        await shown.getByText(name, { exact: true }).waitFor()
      }
      const choose = async (action: string) => {
        await page.getByRole('button', { name: 'Actions for first' }).click()
        await page.getByRole('menuitem', { name: action }).click()
      }
      const dialog = page.getByRole('dialog')
      const save = async (action: string) => {
        await dialog.getByRole('button', { name: action }).click()
        await dialog.waitFor({ state: 'detached' })
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
      await dialog.getByText('The phase ends at once.').waitFor()
      await addAsColleague('fourth', 4)
      await save('End and remove')
      expect(await listNames()).toEqual(['own', 'second', 'third', 'fourth'])
    },
  )

  it('lets a manager put a common sale on the shelf and take it off', async () => {
    const { nftAddress } = await addToken('Pier', 10)
    const tab = await open('market')
    const { page } = tab
    await page.getByRole('button', { name: 'Put on the shelf' }).click()
    await selectToken(tab, 'Pier')
    const dialog = page.getByRole('dialog', { name: 'Put on the shelf' })
    await dialog.getByLabel('Units').fill('4')
    await dialog.getByLabel('Price of one unit').fill('0.0015')
    await dialog.getByRole('button', { name: 'Put on the shelf' }).click()
    await page.getByText('On the shelf', { exact: true }).waitFor()
    await page.getByText('0.0015 ETH').waitFor()
    await checkViews(tab, 'listing')
    const { list } = await commonSales.list(fixture.sandbox.gateway, { nftAddress })
    expect(list).toMatchObject([{ payPrice: '1500000000000000', quantity: 4, status: 'ON' }])

    await page.getByRole('button', { name: 'Take off the shelf' }).click()
    const question = page.getByRole('dialog', { name: /Take Pier.* off the shelf\?/ })
    await question.getByText('4 units that nobody has ordered').waitFor()
    await question.getByRole('button', { name: 'Take off the shelf' }).click()
    await page.getByText('Taken off', { exact: true }).waitFor()
    await checkViews(tab, 'listing-closed')
    const [listing] = list
    const closed = await commonSales.get(fixture.sandbox.gateway, { id: listing?.id ?? 0 })
    expect(closed.status).toBe('OFF')
  })

  it('lets a manager create a coupon whose amounts are in whole tokens, and shows them so', async () => {
    const { gateway } = fixture.sandbox
    const { list } = await commonSales.list(gateway, { pageSize: 1 })
    const [sold] = list
    if (sold === undefined) throw new Error('The sandbox has no listing')
    const { payTokenAddress, payTokenDecimals, nftAddress, nftId } = sold
    const tab = await open('market/coupons')
    const { page } = tab
    await page.getByRole('button', { name: 'Create coupon' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create coupon' })
    await dialog.getByLabel('Kind of discount').selectOption('2')
    await dialog.getByLabel('Amount off an order').fill('0.25')
    await dialog.getByRole('button', { name: 'Create coupon' }).click()
    await dialog.getByText('Enter a value').waitFor()
    await dialog
      .getByLabel('Token of the listings')
      .selectOption(`${sold.chainId} ${payTokenAddress.toLowerCase()}`)
    await dialog.getByLabel('Minimum of an order').fill('1')
    await checkViews(tab, 'coupon-amounts')
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
    await page
      .getByRole('row')
      .filter({ hasText: name })
      .filter({ hasText: /0\.25 \S+ off an order/ })
      .waitFor()
    await page.getByRole('button', { name, exact: true }).click()
    await page
      .getByRole('dialog', { name })
      .getByText(/^1 \S+$/)
      .waitFor()
    await checkViews(tab, 'coupon-in-tokens')
  })

  it('lets a manager create a coupon with ten codes, and download them', async () => {
    const tab = await open('market/coupons')
    const { page } = tab
    await page.getByRole('button', { name: 'Create coupon' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create coupon' })
    await dialog.getByLabel('Discount in percent').fill('12.5')
    await dialog.getByLabel('Number of codes').fill('10')
    await dialog.getByRole('button', { name: 'Create coupon' }).click()
    const codes = page.getByRole('dialog').getByRole('list', { name: 'Codes' }).getByRole('listitem')
    await codes.first().waitFor()
    const shown = await codes.allTextContents()
    expect(new Set(shown).size).toBe(10)
    await checkViews(tab, 'coupon-codes')
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download as CSV' }).click()
    const rows = (await readFile(await (await downloading).path(), 'utf8')).trim().split('\r\n')
    expect(rows[0]).toBe('code,coupon')
    expect(rows.slice(1).map((row) => row.split(',')[0])).toEqual(shown)
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('row').filter({ hasText: '12.5% off' }).waitFor()
    await checkViews(tab, 'coupons')
  })

  it('shows a manager each new bid of an auction in its chart without reloading', async () => {
    await addToken('Kite')
    const { gateway } = fixture.sandbox
    const tab = await open('market/auctions')
    const { page } = tab
    await page.getByRole('button', { name: 'Create auction' }).click()
    await selectToken(tab, 'Kite')
    const dialog = page.getByRole('dialog', { name: 'Create auction' })
    await dialog.getByLabel('Lowest first bid').fill('1')
    await dialog.getByRole('button', { name: 'Create auction' }).click()
    await page.getByText('No bids yet').waitFor()
    await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
    const auctionId = Number(/auctions\/(\d+)/.exec(page.url())?.[1])

    const bids = page.getByRole('table', { name: 'Bids' }).getByRole('row')
    await auctions.bid(gateway, { auctionId, bidder: buyer, amount: '1000000000000000000' })
    const chart = page.getByRole('img', { name: 'Bids over time' }).locator('canvas')
    await chart.waitFor()
    await bids.filter({ hasText: '1 ETH' }).waitFor()
    const drawn = await chart.evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL())
    const bidder = newAddress()
    await auctions.bid(gateway, { auctionId, bidder, amount: '2500000000000000000' })
    await bids.filter({ hasText: '2.5 ETH' }).waitFor()
    await expect
      .poll(() => chart.evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL()))
      .not.toBe(drawn)
    expect(await page.evaluate(() => 'isSamePage' in globalThis)).toBe(true)
    expect(await page.locator('.u-legend').textContent()).toMatch(/^Bid2 · /)
    await page
      .getByRole('definition')
      .filter({ hasText: /^15 min$/ })
      .waitFor()
    await checkViews(tab, 'auction')
    await page.getByRole('button', { name: 'Show the figures as a table' }).click()
    await page.getByRole('table', { name: 'Bids over time' }).getByText('2.5').waitFor()
    expect(await page.getByRole('button', { name: 'Cancel the auction' }).count()).toBe(0)
  })

  it('shows a manager a bid that was placed after the page was read and before events arrived', async () => {
    const { gateway } = fixture.sandbox
    const token = await addToken('Heron')
    const terms = { startTime: after(0), endTime: after(DAY_MS), minimumBidAmount: '1', quantity: 1 }
    const { id: auctionId } = await auctions.create(gateway, { ...token, ...terms, seller })
    const { page } = await fixture.openAs('manager')
    const released = Promise.withResolvers<void>()
    await page.route('**/api/v1/events?*', async (route) => {
      await released.promise
      await route.continue()
    })
    await page.goto(fixture.at(`market/auctions/${auctionId}`))
    await page.getByText('No bids yet').waitFor()
    const { newest } = await events.list(gateway, { limit: 1 })
    await auctions.bid(gateway, { auctionId, bidder: buyer, amount: '3000000000000000000' })
    await expect.poll(async () => (await events.list(gateway, { limit: 1 })).newest).toBeGreaterThan(newest)
    released.resolve()
    await page.getByRole('table', { name: 'Bids' }).getByText('3 ETH').waitFor()
  })

  it('lets a manager accept an offer', async () => {
    const { gateway } = fixture.sandbox
    const token = await addToken('Crane')
    const expireTime = after(DAY_MS)
    const offer = { ...token, offerer: buyer, quantity: 1, totalPrice: '3000000000000000000', expireTime }
    await offers.create(gateway, offer)
    const tab = await open('market/offers')
    const { page } = tab
    const row = page.getByRole('row').filter({ hasText: 'Crane collection' })
    await row.getByText('3 ETH').waitFor()
    await row.getByRole('button', { name: 'Accept' }).click()
    const dialog = page.getByRole('dialog', { name: /Accept the offer for Crane/ })
    await dialog.getByText('for 3 ETH').waitFor()
    await checkViews(tab, 'offer-question')
    await dialog.getByRole('button', { name: 'Accept the offer' }).click()
    await row.getByText('Accepted').waitFor()
    expect(await row.getByRole('button', { name: 'Reject' }).count()).toBe(0)
    await checkViews(tab, 'offers')
    const { list } = await offers.mine(gateway, { address: buyer, status: 'ACCEPTED' })
    expect(list.map(({ nftAddress }) => nftAddress)).toContain(token.nftAddress)
  })

  it('says to choose a wallet before it lists offers', async () => {
    const { page } = await open('market/offers?wallet=nobody')
    await page.getByText('Choose a wallet', { exact: true }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.getByLabel('Wallet', { exact: true }).fill(buyer)
    await page.getByText('No offers received').waitFor()
  })

  it('lets a manager give the money of an underpaid order back, and shows the refund that the chain proves', async () => {
    const { gateway, chain, transferToken } = fixture.sandbox
    const token = await addToken('Herring')
    const price = { payPrice: '4000000', payTokenAddress: chain.token }
    const listing = await commonSales.putOnShelf(gateway, { ...token, ...price, seller, quantity: 1 })
    const order = await orders.preOrder(gateway, { listingId: listing.id, quantity: 1, recipient: buyer })
    const { orderNo } = order
    const hash = await transferToken({ to: seller, amount: 1_500_000n })
    await orders.payOrder(gateway, { orderNo, recipient: buyer, hash })
    const tab = await open(`orders/${orderNo}`)
    const { page } = tab
    const giveBack = page.getByRole('button', { name: 'Give the money back' })
    await expect
      .poll(async () => {
        await chain.mine()
        return await giveBack.count()
      })
      .toBe(1)
    await checkViews(tab, 'order-underpaid')
    await giveBack.click()
    const question = page.getByRole('dialog', { name: 'Give the money back?' })
    await checkViews(tab, 'order-give-back')
    await question.getByRole('button', { name: 'Give the money back' }).click()
    await page.getByText('Refund due').waitFor()
    await page.getByText('1.5 USDC').first().waitFor()
    await checkViews(tab, 'order-refund-due')
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
    await form.getByText('This transaction did not pay the buyer back').waitFor()
    await checkViews(tab, 'order-refund-wrong')
    await chain.mine(2)
    await form.getByLabel('Transaction').fill(refund)
    await form.getByRole('button', { name: 'Record refund' }).click()
    await form.waitFor({ state: 'hidden' })
    await page.getByText('Paid back', { exact: true }).waitFor()
    expect(await page.getByText('Refund due').count()).toBe(0)
    await checkViews(tab, 'order-refunded')
  })

  it('lets a manager add an entry to an address book', async () => {
    const tab = await open(`wallets/${seller}?view=book`)
    const { page } = tab
    const address = newAddress()
    await page.getByRole('button', { name: 'Add address' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add address' })
    await dialog.getByLabel('Name').fill('Gallery Nord')
    await dialog.getByLabel('Address', { exact: true }).fill(address)
    await dialog.getByLabel('Note').fill('Pays by invoice')
    await dialog.getByRole('button', { name: 'Add address' }).click()
    await page.getByRole('row').filter({ hasText: 'Gallery Nord' }).getByText('Pays by invoice').waitFor()
    await checkViews(tab, 'address-book')
    const { list } = await addressBook.list(fixture.sandbox.gateway, { owner: seller, keyword: 'nord' })
    expect(list).toMatchObject([{ address, name: 'Gallery Nord', remark: 'Pays by invoice' }])
  })

  it('shows auditors the market, and lets them change nothing', { timeout: MANY_PAGES_MS }, async () => {
    const { gateway } = fixture.sandbox
    const token = await addToken('Vault')
    const listing = await commonSales.putOnShelf(gateway, { ...token, seller, quantity: 1, payPrice: '5' })
    const tab = await fixture.openAs('auditor')
    const { page } = tab
    const paths = [
      ...['market', `market/listings/common/${listing.id}`, 'market/coupons', 'market/auctions'],
      ...['market/offers', `market/products/${token.nftAddress}`, 'contracts', 'nfts'],
      ...[`contracts/${token.nftAddress}`, `nfts/${token.nftAddress}/7`, `minting/${token.nftAddress}`],
      ...[`wallets/${seller}`, `wallets/${seller}?view=book`, `wallets/${seller}?view=messages`],
    ]
    const change = /\b(add|put|take|create|cancel|accept|reject|remove|edit|import|send|mark|actions)\b/i
    for (const path of paths) {
      await page.goto(fixture.at(path))
      await waitForPage(tab)
      const names = await page.getByRole('main').getByRole('button').allTextContents()
      expect(
        names.filter((name) => change.test(name)),
        path,
      ).toEqual([])
      expect(await page.getByRole('main').getByRole('button', { name: change }).count(), path).toBe(0)
    }
    const { origin } = new URL(page.url())
    const projectId = /\/p\/(\d+)\//.exec(fixture.at(''))?.[1] ?? ''
    const response = await page.request.post(`${origin}/api/v1/market/common/takeOffShelf`, {
      headers: { origin, 'x-mintmark-session': projectId },
      data: { id: listing.id },
    })
    expect(response.status()).toBe(403)
    expect((await commonSales.get(gateway, { id: listing.id })).status).toBe('ON')
  })

  it('runs no script that a tenant wrote, on any page', { timeout: MANY_PAGES_MS }, async () => {
    const { pages } = await writeHostileTexts()
    const tab = await fixture.openAs('manager')
    const { page } = tab
    const dialogs: string[] = []
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message())
      void dialog.dismiss()
    })
    for (const path of pages) {
      await page.goto(fixture.at(path))
      await expect.poll(() => page.getByText('<script>').count(), { message: path }).toBeGreaterThan(0)
      await checkViews(tab, `hostile-${path.replaceAll(/\W+/g, '-').slice(0, 40)}`)
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
  async function writeHostileTexts(): Promise<{ readonly pages: readonly string[] }> {
    const { gateway } = fixture.sandbox
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

  it('lets a manager sell a token from its page, to which Back leads', async () => {
    const { nftAddress, nftId } = await addToken('Dune')
    const { page } = await open(`nfts/${nftAddress}/${nftId}`)
    await page.getByRole('link', { name: 'Put on the shelf' }).click()
    const dialog = page.getByRole('dialog', { name: 'Put on the shelf' })
    await dialog.getByLabel('Price of one unit').fill('2')
    await dialog.getByRole('button', { name: 'Put on the shelf' }).click()
    await page.getByText('On the shelf', { exact: true }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Dune', exact: true }).waitFor()
  })
})
