import { eventCards, promoCodeCards } from '@mintmark/cards'
import { assets, contracts, nfts } from '@mintmark/contracts'
import { commonSales, offers } from '@mintmark/market'
import { orders } from '@mintmark/orders'
import type { GatewayClient } from '@mintmark/transport'
import { addressBook, fans } from '@mintmark/wallet'
import { CONTRACT, OWNER } from './list-rows.ts'

interface PageInput {
  readonly pageNumber: number
  readonly pageSize: number
  /** One of the `orders` of the list, as the only order that all lists have in common. */
  readonly orderBy?: ''
}

type List = (client: GatewayClient, page: PageInput) => Promise<{ readonly totalRow: number }>

const address = OWNER
const nftAddress = CONTRACT
const NOBODY = '0x00000000000000000000000000000000000dead1'

/** The lists that are measured, by their names, with the orders of each. An empty order is the default. */
export const measuredLists: readonly {
  readonly name: string
  readonly orders: readonly string[]
  readonly list: List
}[] = [
  {
    name: 'addressBook.list',
    orders: ['', 'name', 'address'],
    list: (c, page) => addressBook.list(c, { owner: OWNER, ...page }),
  },
  {
    name: 'addressBook.list, keyword of all',
    orders: [''],
    list: (c, page) => addressBook.list(c, { owner: OWNER, keyword: 'friend', ...page }),
  },
  {
    name: 'addressBook.list, keyword of one',
    orders: ['', 'name'],
    list: (c, page) => addressBook.list(c, { owner: OWNER, keyword: '0000000000001', ...page }),
  },
  {
    name: 'addressBook.list, keyword of none',
    orders: [''],
    list: (c, page) => addressBook.list(c, { owner: OWNER, keyword: 'qqzz', ...page }),
  },
  { name: 'assets.list', orders: [''], list: (c, page) => assets.list(c, page) },
  { name: 'assets.list, owner', orders: [''], list: (c, page) => assets.list(c, { owner: OWNER, ...page }) },
  { name: 'assets.list, contract', orders: [''], list: (c, page) => assets.list(c, { nftAddress, ...page }) },
  { name: 'assets.transfers', orders: [''], list: (c, page) => assets.transfers(c, page) },
  {
    name: 'assets.transfers, contract',
    orders: [''],
    list: (c, page) => assets.transfers(c, { nftAddress, ...page }),
  },
  {
    name: 'assets.transfers, address',
    orders: [''],
    list: (c, page) => assets.transfers(c, { address, ...page }),
  },
  { name: 'commonSales.collections', orders: [''], list: (c, page) => commonSales.collections(c, page) },
  {
    name: 'commonSales.list',
    orders: ['', 'payPrice', 'endTime'],
    list: (c, page) => commonSales.list(c, page),
  },
  {
    name: 'commonSales.list, contract',
    orders: ['', 'payPrice'],
    list: (c, page) => commonSales.list(c, { nftAddress, ...page }),
  },
  {
    name: 'commonSales.list, price',
    orders: ['', 'payPrice'],
    list: (c, page) => commonSales.list(c, { minPrice: '500', ...page }),
  },
  { name: 'contracts.list', orders: ['', 'name'], list: (c, page) => contracts.list(c, page) },
  {
    name: 'commonSales.list, seller',
    orders: ['', 'payPrice', 'endTime'],
    list: (c, page) => commonSales.list(c, { seller: OWNER, ...page }),
  },
  { name: 'eventCards.verifications', orders: [''], list: (c, page) => eventCards.verifications(c, page) },
  {
    name: 'eventCards.verifications, store',
    orders: [''],
    list: (c, page) => eventCards.verifications(c, { store: 'Berlin', ...page }),
  },
  { name: 'fans.list', orders: [''], list: (c, page) => fans.list(c, { address, ...page }) },
  { name: 'nfts.list', orders: ['', 'name'], list: (c, page) => nfts.list(c, page) },
  {
    name: 'nfts.list, contract',
    orders: ['', 'name'],
    list: (c, page) => nfts.list(c, { nftAddress, ...page }),
  },
  { name: 'nfts.list, owner', orders: [''], list: (c, page) => nfts.list(c, { owner: OWNER, ...page }) },
  {
    name: 'nfts.list, keyword of all',
    orders: [''],
    list: (c, page) => nfts.list(c, { keyword: 'print', ...page }),
  },
  {
    name: 'nfts.list, keyword of one in a thousand',
    orders: ['', 'name'],
    list: (c, page) => nfts.list(c, { keyword: 'Print 77 ', ...page }),
  },
  {
    name: 'nfts.list, keyword of two letters',
    orders: [''],
    list: (c, page) => nfts.list(c, { keyword: 'qq', ...page }),
  },
  {
    name: 'nfts.list, creator',
    orders: ['', 'name'],
    list: (c, page) => nfts.list(c, { creator: OWNER, ...page }),
  },
  {
    name: 'nfts.list, owner of none',
    orders: [''],
    list: (c, page) => nfts.list(c, { owner: NOBODY, ...page }),
  },
  {
    name: 'nfts.list, keyword of none',
    orders: [''],
    list: (c, page) => nfts.list(c, { keyword: 'qqzz', ...page }),
  },
  {
    name: 'offers.mine',
    orders: ['', 'totalPrice'],
    list: (c, page) => offers.mine(c, { address, ...page }),
  },
  { name: 'orders.list', orders: [''], list: (c, page) => orders.list(c, page) },
  {
    name: 'orders.list, status',
    orders: [''],
    list: (c, page) => orders.list(c, { orderStatus: 2, ...page }),
  },
  {
    name: 'orders.list, wallet',
    orders: [''],
    list: (c, page) => orders.list(c, { recipient: OWNER, ...page }),
  },
  {
    name: 'orders.list, status and market',
    orders: [''],
    list: (c, page) => orders.list(c, { orderStatus: 2, marketType: 1, ...page }),
  },
  {
    name: 'orders.list, search of none',
    orders: [''],
    list: (c, page) => orders.list(c, { searchKey: 'qqzz', ...page }),
  },
  {
    name: 'orders.list, search',
    orders: [''],
    list: (c, page) => orders.list(c, { searchKey: 'print', ...page }),
  },
  {
    name: 'orders.soldList',
    orders: [''],
    list: (c, page) => orders.soldList(c, { sender: OWNER, ...page }),
  },
  {
    name: 'promoCodeCards.list',
    orders: ['', 'name', 'startTime', 'endTime'],
    list: (c, page) => promoCodeCards.list(c, page),
  },
  {
    name: 'promoCodeCards.listByCreator',
    orders: ['', 'name'],
    list: (c, page) => promoCodeCards.listByCreator(c, { creator: OWNER, ...page }),
  },
  {
    name: 'promoCodeCards.listByNft',
    orders: ['', 'name'],
    list: (c, page) => promoCodeCards.listByNft(c, { nftAddress, ...page }),
  },
  {
    name: 'promoCodeCards.listByOwner',
    orders: [''],
    list: (c, page) => promoCodeCards.listByOwner(c, { owner: OWNER, ...page }),
  },
  {
    name: 'promoCodeCards.listByOwner, nobody',
    orders: [''],
    list: (c, page) => promoCodeCards.listByOwner(c, { owner: NOBODY, ...page }),
  },
  {
    name: 'promoCodeCards.listByStore',
    orders: ['', 'name'],
    list: (c, page) => promoCodeCards.listByStore(c, { store: 'Berlin', ...page }),
  },
  {
    name: 'promoCodeCards.search, keyword of all',
    orders: ['', 'name', 'endTime'],
    list: (c, page) => promoCodeCards.search(c, { keyword: 'card', ...page }),
  },
  {
    name: 'promoCodeCards.search, keyword of one in a hundred',
    orders: ['', 'name'],
    list: (c, page) => promoCodeCards.search(c, { keyword: 'card 77', ...page }),
  },
  {
    name: 'promoCodeCards.search, keyword of none',
    orders: ['', 'name'],
    list: (c, page) => promoCodeCards.search(c, { keyword: 'qqzz', ...page }),
  },
  {
    name: 'promoCodeCards.search, status',
    orders: [''],
    list: (c, page) => promoCodeCards.search(c, { status: 'EXPIRED', ...page }),
  },
  {
    name: 'promoCodeCards.search, time',
    orders: [''],
    list: (c, page) => promoCodeCards.search(c, { from: '2020-01-01T00:00:00Z', ...page }),
  },
]
