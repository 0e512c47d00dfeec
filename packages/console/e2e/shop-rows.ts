import { apiKeys, publishableKeys, Role } from '@mintmark/admin'
import {
  campaigns,
  commemorativeCards,
  eventCards,
  membershipCards,
  promoCodeCards,
  stores,
} from '@mintmark/cards'
import { contracts, lazyMinting, nfts } from '@mintmark/contracts'
import { eventWebhooks } from '@mintmark/events'
import {
  auctions,
  CouponType,
  commonSales,
  couponCodes,
  couponSales,
  offers,
  productCards,
} from '@mintmark/market'
import type { GatewayClient } from '@mintmark/operation'
import { orders } from '@mintmark/orders'
import { addressBook, follows, walletInfo, words } from '@mintmark/wallet'
import { sequenceEvents } from '../../gateway-server/src/testing/event-streams.ts'
import { FAKE_CHAIN_ID, FAKE_TOKEN } from '../../gateway-server/src/testing/fake-payment-chain.ts'
import type { ConsoleFixture } from './console-fixture.ts'

const PRINTS = '0x5f1d6a0c3b7e4f2a9c8d1e0b7a6f5c4d3e2b1a09'
const DROPS = '0x9b8c7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f2a1b0c'
const LAMPS = '0x1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f7a8b9c0d'
const STUDIO = '0xd3adb33f00112233445566778899aabbccddeeff'
const ADA = '0x8ba1f109551bd432803012645ac136ddd64dba72'
const GRACE = '0x4e5b2e1dc63f6b91cb6cd759936495434c7e972f'
const DAY_MS = 86_400_000
const PERIOD = { startTime: '2026-01-01T00:00:00Z', endTime: '2099-12-31T00:00:00Z' }
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()

/** The pages of a shop: their addresses below that of the project. */
export interface ShopPages {
  /** The pages that staff may open, too. */
  readonly cards: readonly string[]
  /** Stores, campaigns, orders and the market. */
  readonly sales: readonly string[]
  /** Contracts, NFTs, minting and wallets. */
  readonly tokens: readonly string[]
  /** The pages of developers that managers may open. */
  readonly developers: readonly string[]
  /** The pages that only owners and auditors may open. */
  readonly settings: readonly string[]
}

/** Fills the project of a console with what a shop has after some weeks, so that no page is empty. */
export async function createShop(app: ConsoleFixture): Promise<ShopPages> {
  const { client, gateway } = app
  const cards = await createCards(client)
  const campaignPages = await createCampaign(client)
  const tokens = await createTokens(client)
  const sales = await createSales(client)
  await createWallets(client)
  const minting = await createMinting(client)
  const developers = await createAccess(app)
  await sequenceEvents(gateway)
  return {
    cards,
    sales: ['stores', ...campaignPages, ...sales, 'reports', 'reports?report=redemptions&period=own'],
    tokens: [...tokens, ...minting, ...listWalletPages()],
    developers: ['events', 'webhooks', ...developers, 'explorer', 'explorer?operation=orders.list'],
    settings: ['keys', 'people', 'audit'],
  }
}

async function createCards(client: GatewayClient): Promise<readonly string[]> {
  const contract = { nftAddress: PRINTS, chainId: FAKE_CHAIN_ID, nftType: 'ERC1155', owner: STUDIO }
  await contracts.add(client, { ...contract, name: 'Harbour Prints', symbol: 'HARB' })
  await stores.create(client, { name: 'Harbour', code: 'HARB', address: 'Pier 4' })
  await stores.create(client, { name: 'Station' })
  const terms = { ...PERIOD, nftAddress: PRINTS }
  const drink = { ...terms, name: 'Free flat white', applicableStores: ['Harbour', 'Station'] }
  const { id } = await promoCodeCards.create(client, { ...drink, totalIssued: 10 })
  await promoCodeCards.create(client, { ...terms, name: 'Muffin with any coffee', totalIssued: 250 })
  await eventCards.create(client, { ...terms, name: 'Opening night', totalIssued: 120 })
  const level = { level: 'Gold', benefits: ['A free refill', 'The first seat'] }
  await membershipCards.create(client, { ...terms, ...level, name: 'Regulars', totalIssued: 40 })
  await commemorativeCards.create(client, { ...terms, name: 'Ten years', totalIssued: 500, amount: 12.5 })
  const kinds = ['promo-code', 'event', 'membership', 'commemorative'].map((kind) => `cards/${kind}`)
  const pages = [id, `${id}/edit`, 'new', 'import', 'print'].map((page) => `cards/promo-code/${page}`)
  return ['cards', 'cards/settings', ...kinds, ...pages]
}

async function createCampaign(client: GatewayClient): Promise<readonly string[]> {
  const card = { ...PERIOD, name: 'A free espresso', totalIssued: 1 }
  const summer = { name: 'Summer', program: 'promoCodeCards', cards: 500, card } as const
  const { id } = await campaigns.create(client, summer)
  await campaigns.issue(client, { id, count: 20 })
  return ['campaigns', 'campaigns/new', `campaigns/${id}`]
}

async function createTokens(client: GatewayClient): Promise<readonly string[]> {
  for (const [nftId, name] of [
    ['1', 'Lighthouse at dawn'],
    ['2', 'The long pier, with a storm that comes in from the northern sea'],
    ['3', 'Gulls'],
  ] as const) {
    const properties = [
      { trait_type: 'paper', value: 'cotton' },
      { trait_type: 'edition', value: nftId },
    ]
    const imgUrl = `https://example.com/${nftId}.png`
    const token = { nftAddress: PRINTS, nftId, name, owner: STUDIO, quantity: 50 }
    await nfts.add(client, { ...token, properties, imgUrl, description: `${name}. Pulled by hand.` })
  }
  return ['contracts', `contracts/${PRINTS}`, 'nfts', 'nfts?view=list', `nfts/${PRINTS}/1`]
}

async function createSales(client: GatewayClient): Promise<readonly string[]> {
  const sale = { nftAddress: PRINTS, seller: STUDIO, payTokenAddress: FAKE_TOKEN }
  const listing = await commonSales.putOnShelf(client, {
    ...sale,
    nftId: '1',
    quantity: 20,
    payPrice: '25000000',
    endTime: inDays(30),
  })
  const order = { marketType: listing.marketType, listingId: listing.id, quantity: 2, recipient: ADA }
  const { orderNo } = await orders.preOrder(client, order)
  const cancelled = await orders.preOrder(client, { ...order, recipient: GRACE })
  await orders.cancel(client, { orderNo: cancelled.orderNo })
  const coupon = { couponType: CouponType.PERCENT, value: '1500', count: 3, maxPerWallet: 1 }
  await couponCodes.create(client, { ...coupon, minimumAmount: '1000000' })
  await couponSales.putOnShelf(client, {
    ...sale,
    nftId: '2',
    quantity: 5,
    payPrice: '40000000',
    coupon: { couponType: CouponType.AMOUNT_OFF, value: '5000000', maxPerWallet: 1 },
  })
  const auction = await auctions.create(client, {
    ...sale,
    nftId: '3',
    quantity: 1,
    minimumBidAmount: '1000000',
    startTime: inDays(-1),
    endTime: inDays(2),
  })
  for (const [bidder, amount] of [
    [ADA, '1500000'],
    [GRACE, '2750000'],
  ] as const) {
    await auctions.bid(client, { auctionId: auction.id, bidder, amount })
  }
  await offers.create(client, {
    nftAddress: PRINTS,
    nftId: '1',
    offerer: GRACE,
    quantity: 1,
    totalPrice: '20000000',
    payTokenAddress: FAKE_TOKEN,
    expireTime: inDays(7),
  })
  return [
    ...['overview', 'search?q=Free', 'market'],
    ...['orders', `orders/${orderNo}`, `orders/${cancelled.orderNo}`],
    ...[`market/listings/common/${listing.id}`, 'market/coupons', 'market/auctions'],
    ...[`market/auctions/${auction.id}`, 'market/offers'],
  ]
}

async function createWallets(client: GatewayClient): Promise<void> {
  const profile = { email: 'ada@example.com', description: 'Collects prints of harbours.' }
  await walletInfo.add(client, { ...profile, address: ADA, name: 'Ada Collector' })
  await walletInfo.add(client, { address: STUDIO, name: 'Print Studio', description: 'Makes prints.' })
  const entry = { owner: ADA, address: STUDIO, name: 'Studio', remark: 'Answers on weekdays' }
  await addressBook.add(client, entry)
  await words.add(client, { sender: ADA, recipient: STUDIO, content: 'Is the second print still available?' })
  await words.add(client, { sender: STUDIO, recipient: ADA, content: 'Five are left.' })
  await follows.add(client, { address: ADA, nftAddress: PRINTS, nftId: '1' })
}

function listWalletPages(): readonly string[] {
  return [
    ...['wallets', `wallets/${ADA}`, `wallets/${ADA}?view=book`, `wallets/${ADA}?view=messages`],
    ...[`wallets/${ADA}?view=messages&other=${STUDIO}`],
  ]
}

async function createMinting(client: GatewayClient): Promise<readonly string[]> {
  const drops = { nftAddress: DROPS, chainId: FAKE_CHAIN_ID, nftType: 'ERC721', owner: STUDIO }
  await contracts.add(client, { ...drops, name: 'Winter drops' })
  await lazyMinting.updateCollection(client, {
    nftAddress: DROPS,
    name: 'Winter drops',
    tokenUri: 'ipfs://drops',
    primarySaleRecipient: STUDIO,
  })
  await lazyMinting.updatePresale(client, {
    nftAddress: DROPS,
    phases: [
      {
        name: 'early',
        startTime: inDays(-2),
        endTime: inDays(1),
        price: '250000000000000000',
        limitPerWallet: 2,
        whitelistMode: 'LIST',
        maxClaimable: 100,
      },
      { name: 'public', startTime: inDays(1), price: '400000000000000000' },
    ],
  })
  const entries = [{ address: ADA, limit: '2' }, { address: GRACE }]
  await lazyMinting.addToWhitelist(client, { nftAddress: DROPS, phase: 'early', entries })
  await lazyMinting.addNft(client, { nftAddress: DROPS, name: 'First snow', tokenUri: 'ipfs://snow' })
  await contracts.add(client, { ...drops, nftAddress: LAMPS, nftType: 'ERC1155', name: 'Lamps' })
  const lamp = { nftAddress: LAMPS, name: 'Harbour lamp', owner: STUDIO, limited: 25 }
  await productCards.addNftInfo(client, { ...lamp, tokenUri: 'ipfs://lamp' })
  const phase = { name: 'public', startTime: inDays(-1), price: '90000000', payTokenAddress: FAKE_TOKEN }
  await productCards.updatePresale(client, { nftAddress: LAMPS, phases: [phase] })
  const views = ['phases', 'nfts', 'whitelist', 'settings']
  return [
    ...['minting', ...views.map((view) => `minting/${DROPS}?view=${view}`)],
    ...['market/products', `market/products/${LAMPS}`],
  ]
}

/** Creates keys, webhooks and invitations. Returns the pages of webhooks. */
async function createAccess({ client, invite }: ConsoleFixture): Promise<readonly string[]> {
  await apiKeys.create(client, { name: 'Web shop', scopes: ['orders:read', 'market:read'] })
  await publishableKeys.create(client, { name: 'Website', origins: ['https://harbour.example'] })
  // Nothing is sent: the gateway has no jobs.
  const url = 'http://localhost:4242/webhooks/mintmark'
  const { id } = await eventWebhooks.configure(client, { url, events: ['order.*'], description: 'The shop' })
  await invite('new@shop.example', Role.STAFF)
  return [`webhooks/${id}`]
}
