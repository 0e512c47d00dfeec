/** A list and the filters for which indexes have its rows in each of its orders. */
export interface IndexedList {
  readonly operation: string
  /**
   * Every order of the list, with the filters that have an index in it. Each filter is the names of its
   * fields, separated by spaces.
   */
  readonly orders: { readonly [order: string]: readonly string[] }
  /** A table whose rows are not copied. */
  readonly uncopied?: string
}

/** A range of times that contains every row. */
export const WITHIN: { readonly [field: string]: string } = {
  from: '2020-01-01T00:00:00Z',
  to: '2098-01-01T00:00:00Z',
}

/**
 * The lists whose pages take the same time in projects of any size: the default orders with common filters.
 * The operations of other programs and market types share their statements. Other filters and orders may read
 * the rows of the project.
 */
export const indexedLists: readonly IndexedList[] = [
  { operation: 'addressBook.list', orders: { id: ['', 'from', 'to'] } },
  { operation: 'fans.list', orders: { id: ['', 'from', 'to'] } },
  { operation: 'fans.following', orders: { id: ['', 'from', 'to'] } },
  { operation: 'follows.list', orders: { createTime: ['', 'from', 'to'] } },
  { operation: 'words.groupRecords', orders: { id: ['', 'from', 'to'] } },
  { operation: 'words.list', orders: { id: ['', 'from', 'to'] } },
  { operation: 'words.records', orders: { id: ['', 'from', 'to'] } },
  { operation: 'promoCodeCards.list', orders: { id: [''] } },
  { operation: 'promoCodeCards.listByCreator', orders: { id: ['', 'creator'] } },
  { operation: 'promoCodeCards.listByNft', orders: { id: ['nftId'] } },
  {
    operation: 'promoCodeCards.search',
    orders: { id: ['from', 'to', 'from to', 'reference', 'reference to'] },
  },
  {
    operation: 'eventCards.verifications',
    orders: { id: ['', 'cardId', 'store', 'from', 'store from', 'cardId to'] },
  },
  { operation: 'contracts.list', orders: { id: ['', 'from', 'to'] } },
  {
    operation: 'nfts.list',
    orders: { id: ['', 'nftAddress', 'creator', 'from', 'to', 'nftAddress from', 'creator to'] },
  },
  {
    operation: 'assets.list',
    orders: { id: ['', 'owner', 'nftAddress', 'from', 'to', 'owner from', 'nftAddress to'] },
  },
  // A project has few contracts at one address, and a page reads the transfers of each. Its filters are
  // counted by the index that the statistics suggest.
  { operation: 'assets.transfers', orders: { id: [''] }, uncopied: 'contracts' },
  { operation: 'lazyMinting.listNfts', orders: { id: ['', 'from', 'to'] } },
  { operation: 'lazyMinting.whitelist', orders: { id: ['', 'from', 'to'] } },
  {
    operation: 'commonSales.list',
    orders: {
      id: ['', 'nftAddress', 'seller', 'from', 'to', 'seller from', 'nftAddress to'],
      payPrice: ['', 'nftAddress', 'minPrice', 'maxPrice', 'nftAddress minPrice'],
    },
  },
  { operation: 'offers.mine', orders: { id: ['', 'from', 'to', 'from to'] } },
  { operation: 'productCards.mints', orders: { id: ['', 'from', 'to'] } },
  {
    operation: 'orders.list',
    orders: {
      id: [
        '',
        'recipient',
        'orderStatus',
        'from',
        'to',
        'recipient from',
        'orderStatus to',
        'reference',
        'reference from',
      ],
    },
  },
  { operation: 'orders.soldList', orders: { id: ['', 'from to'] } },
  { operation: 'orders.nftHistory', orders: { id: ['', 'from to'] } },
  { operation: 'audit.list', orders: { id: ['', 'recordId', 'from', 'to', 'recordId from to'] } },
]

/** Values of optional fields that no copied row has. */
export const UNMATCHED: { readonly [field: string]: unknown } = {
  cardId: 999_999,
  creator: '0x00000000000000000000000000000000000dead1',
  from: '2098-01-01T00:00:00Z',
  maxPrice: '1',
  minPrice: '9000000',
  nftAddress: '0x00000000000000000000000000000000000dead1',
  nftId: '999',
  orderStatus: 4,
  owner: '0x00000000000000000000000000000000000dead1',
  reference: 'nothing',
  recordId: 'none',
  recipient: '0x00000000000000000000000000000000000dead1',
  seller: '0x00000000000000000000000000000000000dead1',
  store: 'Nowhere',
  to: '2001-01-01T00:00:00Z',
}
