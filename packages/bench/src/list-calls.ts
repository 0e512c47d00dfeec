import { eventCards, promoCodeCards } from '@mintmark/cards'
import { assets, nfts } from '@mintmark/contracts'
import { commonSales, offers } from '@mintmark/market'
import { orders } from '@mintmark/orders'
import type { GatewayClient } from '@mintmark/transport'
import { addressBook, fans } from '@mintmark/wallet'
import { CONTRACT, OWNER } from './list-rows.ts'

interface PageInput {
  readonly pageNumber?: number
  readonly pageSize: number
  readonly cursor?: string
}

export type List = (
  client: GatewayClient,
  page: PageInput,
) => Promise<{ readonly totalRow: number; readonly paras: object }>

const address = OWNER
const nftAddress = CONTRACT
const LONG_AGO = '2020-01-01T00:00:00Z'

/** The lists that are measured, by their names. */
export const measuredLists: readonly {
  readonly name: string
  readonly list: List
  /** Whether no index has the list in its order. */
  readonly isSorted?: boolean
}[] = [
  { name: 'addressBook.list', list: (c, page) => addressBook.list(c, { owner: OWNER, ...page }) },
  { name: 'assets.list', list: (c, page) => assets.list(c, page) },
  { name: 'assets.list, owner', list: (c, page) => assets.list(c, { owner: OWNER, ...page }) },
  { name: 'assets.transfers', list: (c, page) => assets.transfers(c, page) },
  { name: 'assets.transfers, address', list: (c, page) => assets.transfers(c, { address, ...page }) },
  { name: 'commonSales.list', list: (c, page) => commonSales.list(c, page) },
  {
    name: 'commonSales.list, by price',
    list: (c, page) => commonSales.list(c, { orderBy: 'payPrice', ...page }),
  },
  { name: 'commonSales.list, seller', list: (c, page) => commonSales.list(c, { seller: OWNER, ...page }) },
  { name: 'eventCards.verifications', list: (c, page) => eventCards.verifications(c, page) },
  { name: 'fans.list', list: (c, page) => fans.list(c, { address, ...page }) },
  { name: 'nfts.list', list: (c, page) => nfts.list(c, page) },
  { name: 'nfts.list, contract', list: (c, page) => nfts.list(c, { nftAddress, ...page }) },
  { name: 'offers.mine', list: (c, page) => offers.mine(c, { address, ...page }) },
  { name: 'orders.list', list: (c, page) => orders.list(c, page) },
  { name: 'orders.list, status', list: (c, page) => orders.list(c, { orderStatus: 2, ...page }) },
  { name: 'orders.list, wallet', list: (c, page) => orders.list(c, { recipient: OWNER, ...page }) },
  { name: 'orders.list, time', list: (c, page) => orders.list(c, { from: LONG_AGO, ...page }) },
  { name: 'orders.soldList', list: (c, page) => orders.soldList(c, { sender: OWNER, ...page }) },
  { name: 'promoCodeCards.list', list: (c, page) => promoCodeCards.list(c, page) },
  {
    name: 'promoCodeCards.list, by name',
    isSorted: true,
    list: (c, page) => promoCodeCards.list(c, { orderBy: 'name', ...page }),
  },
  {
    name: 'promoCodeCards.listByCreator',
    list: (c, page) => promoCodeCards.listByCreator(c, { creator: OWNER, ...page }),
  },
  {
    name: 'promoCodeCards.listByNft',
    list: (c, page) => promoCodeCards.listByNft(c, { nftAddress, ...page }),
  },
]
