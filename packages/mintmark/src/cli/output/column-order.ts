import type { OperationShape } from '@mintmark/operation'

const SALE = ['id', 'status', 'payPrice', 'remaining', 'nftName', 'nftId', 'payTokenAddress', 'endTime']
const VERIFICATION = ['id', 'result', 'reason', 'cardId', 'store', 'verifier', 'createTime', 'action']
const DELIVERY = ['id', 'status', 'eventType', 'attempts', 'responseStatus', 'error', 'nextAttemptTime']
const WEBHOOK = ['id', 'status', 'url', 'events']

/**
 * The fields that people look for in a list, the most important first. By the operation's id, or by its
 * group.
 */
export const COLUMN_ORDERS: Readonly<Record<string, readonly string[]>> = {
  assets: ['id', 'name', 'nftId', 'quantity', 'reserved', 'owner', 'nftAddress'],
  'assets.transfers': ['id', 'nftId', 'from', 'to', 'quantity', 'createTime', 'hash'],
  commemorativeCards: ['id', 'name', 'amount', 'totalIssued', 'nftAddress', 'endTime', 'qrCodeUrl'],
  'commonSales.list': SALE,
  contracts: ['id', 'name', 'symbol', 'nftAddress', 'nftType', 'chainId', 'owner'],
  'couponCodes.list': SALE,
  'couponSales.list': SALE,
  eventCards: ['id', 'name', 'isCheckedIn', 'startTime', 'endTime', 'qrCodeUrl'],
  'eventCards.verifications': VERIFICATION,
  'eventWebhooks.deliveries': DELIVERY,
  'eventWebhooks.list': WEBHOOK,
  'lazyMinting.listNfts': ['id', 'status', 'name', 'price', 'tokenId', 'nftAddress', 'payTokenAddress'],
  'limitedTimeCoupons.list': SALE,
  membershipCards: ['id', 'name', 'level', 'validityPeriod', 'totalIssued', 'qrCodeUrl'],
  'membershipCards.verifications': VERIFICATION,
  micropaymentOrders: [
    'orderNo',
    'status',
    'amount',
    'refunded',
    'resource',
    'payer',
    'asset',
    'network',
    'createTime',
    'transaction',
  ],
  'nfts.list': ['id', 'name', 'nftId', 'quantity', 'owner', 'nftAddress'],
  offers: ['id', 'status', 'totalPrice', 'quantity', 'nftName', 'nftId', 'offerer', 'expireTime'],
  orders: ['orderNo', 'orderStatus', 'payAmount', 'quantity', 'nftName', 'sender', 'createTime'],
  'payerQuotas.history': ['id', 'status', 'payer', 'limit', 'used', 'remaining', 'endTime'],
  'productCards.mints': ['id', 'status', 'recipient', 'quantity', 'price', 'tokenId', 'createTime', 'hash'],
  promoCodeCards: ['id', 'name', 'usedCount', 'totalIssued', 'validityPeriod', 'qrCodeUrl'],
  'promoCodeCards.verifications': VERIFICATION,
  'specifiedSales.list': SALE,
  'webhooks.deliveries': DELIVERY,
  'webhooks.list': WEBHOOK,
  words: ['id', 'sender', 'content', 'read', 'createTime'],
}

/**
 * Lists the fields that people look for in the records of an operation. Empty for records without a declared
 * order.
 */
export function findColumnOrder({ id }: OperationShape): readonly string[] {
  return COLUMN_ORDERS[id] ?? COLUMN_ORDERS[id.split('.')[0] ?? id] ?? []
}
