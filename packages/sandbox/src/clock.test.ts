import { promoCodeCards } from '@mintmark/cards'
import { contracts, lazyMinting } from '@mintmark/contracts'
import { isMintmarkError } from '@mintmark/envelope'
import { payerQuotas, payments, signPayerQuota } from '@mintmark/facilitator'
import { auctions, commonSales } from '@mintmark/market'
import { OrderStatus, orders } from '@mintmark/orders'
import { afterAll, describe, expect, it } from 'vitest'
import { startSandbox } from './sandbox.ts'

const sandbox = await startSandbox({ demo: true })
afterAll(() => sandbox.stop())

const { gateway, facilitator, accounts, clock } = sandbox
const nftAddress = sandbox.credentials.demo?.nftAddress ?? ''
const creator = accounts.creator.address
const buyer = accounts.buyer.address
const MINUTE_MS = 60_000
/** Formats the time in some minutes by the sandbox's clock. */
const inMinutes = (minutes: number) => new Date(clock.now() + minutes * MINUTE_MS).toISOString()

// No test waits: the first read after `advance` finds the new state.
describe('advance', () => {
  it('ends an auction, whose winner gets an order', async () => {
    const { id } = await auctions.create(gateway, {
      seller: creator,
      nftAddress,
      nftId: '1',
      quantity: 1,
      minimumBidAmount: '1000',
      buyoutBidAmount: '100000',
      startTime: inMinutes(-1),
      endTime: inMinutes(60),
    })
    await auctions.bid(gateway, { auctionId: id, bidder: buyer, amount: '2000' })
    expect((await auctions.get(gateway, { id })).orderNo).toBe('')
    await clock.advance('61m')
    const { orderNo } = await auctions.get(gateway, { id })
    expect(await orders.get(gateway, { orderNo })).toMatchObject({
      recipient: buyer.toLowerCase(),
      payAmount: '2000',
    })
  })

  it('expires an order, and its units can be sold again', async () => {
    const listing = await commonSales.putOnShelf(gateway, {
      seller: creator,
      nftAddress,
      nftId: '1',
      quantity: 1,
      payPrice: '1000',
    })
    const sale = { marketType: 1, listingId: listing.id, quantity: 1, recipient: buyer }
    const { orderNo } = await orders.preOrder(gateway, sale)
    expect((await commonSales.get(gateway, { id: listing.id })).remaining).toBe(0)
    await clock.advance('1h')
    expect((await orders.get(gateway, { orderNo })).orderStatus).toBe(OrderStatus.EXPIRED)
    expect((await commonSales.get(gateway, { id: listing.id })).remaining).toBe(1)
  })

  it('expires a card', async () => {
    const name = `A coffee on the house ${crypto.randomUUID()}`
    const terms = { name, nftAddress, startTime: inMinutes(-1), endTime: inMinutes(30), totalIssued: 1 }
    await promoCodeCards.create(gateway, terms)
    const countActive = async () =>
      (await promoCodeCards.search(gateway, { keyword: name, status: 'ACTIVE' })).totalRow
    expect(await countActive()).toBe(1)
    await clock.advance('31m')
    expect(await countActive()).toBe(0)
  })

  it('opens a phase of a presale', async () => {
    const drops = '0x00000000000000000000000000000000000000dd'
    const { chainId } = sandbox.chain
    await contracts.add(gateway, {
      nftAddress: drops,
      name: 'Drops',
      nftType: 'ERC721',
      chainId: String(chainId),
      owner: creator,
    })
    const phase = { name: 'public', startTime: inMinutes(3 * 24 * 60), price: '1000' }
    await lazyMinting.updatePresale(gateway, { nftAddress: drops, phases: [phase] })
    expect((await lazyMinting.presale(gateway, { nftAddress: drops })).active).toBe('')
    await clock.advance('3d')
    expect((await lazyMinting.presale(gateway, { nftAddress: drops })).active).toBe('public')
  })

  it('expires a signed quota, which then pays no settle', async () => {
    const snapshot = await sandbox.snapshot()
    const { payer } = accounts
    const signing = await payerQuotas.signingDomain(facilitator)
    const validBefore = Math.floor(clock.now() / 1000) + 3600
    const quota = await signPayerQuota(payer, signing, { limit: 10n ** 18n, validBefore })
    await payerQuotas.register(facilitator, quota)
    const settle = async () => payments.settle(facilitator, await sandbox.signPayment({ payTo: creator }))
    expect(await settle()).toMatchObject({ success: true })
    await clock.advance('2h')
    expect(await payerQuotas.active(facilitator, { payer: payer.address })).toMatchObject({
      status: 'EXPIRED',
    })
    const error: unknown = await settle().catch((caught: unknown) => caught)
    expect(isMintmarkError(error)).toBe(true)
    await snapshot.restore()
    expect(await settle()).toMatchObject({ success: true })
  })

  it('reports what ended by webhooks', async () => {
    await sandbox.reset()
    const name = 'Opening night'
    const terms = { name, nftAddress, startTime: inMinutes(-1), endTime: inMinutes(30), totalIssued: 1 }
    const { id } = await promoCodeCards.create(gateway, terms)
    await clock.advance('1h')
    expect((await sandbox.webhooks.waitFor('card.expired')).data.card).toMatchObject({ id, name })
  })

  it('moves the clock of rules: a sale cannot end before the new time', async () => {
    await clock.advance('30d')
    const listing = { seller: creator, nftAddress, nftId: '1', quantity: 1, payPrice: '1000' }
    const inOneDay = new Date(Date.now() + 24 * 60 * MINUTE_MS).toISOString()
    await expect(commonSales.putOnShelf(gateway, { ...listing, endTime: inOneDay })).rejects.toThrow(
      'Expected a time in the future',
    )
    await commonSales.putOnShelf(gateway, { ...listing, endTime: inMinutes(60) })
  })

  it.each(['3 days', '', '-1d', Number.NaN, -1])('refuses %j, which is no duration', async (duration) => {
    await expect(clock.advance(duration)).rejects.toThrow(RangeError)
  })
})
