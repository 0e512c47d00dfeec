import type { MarketType, OrderReason } from '@mintmark/orders'

/** How a token is sold. */
export const marketTypeTexts: Readonly<Record<MarketType, string>> = {
  1: 'Sale',
  2: 'Sale with coupon',
  3: 'Limited-time coupon',
  4: 'Coupon code',
  5: 'Sale to named wallets',
  6: 'Auction',
  7: 'Offer',
  8: 'Product card',
  9: 'Lazy minting',
}

/** Why an order failed or needs a decision. */
export const orderReasonTexts: Readonly<Record<Exclude<OrderReason, ''>, string>> = {
  mined_before_order: 'The payment was made before the order was placed.',
  no_stock: 'The payment arrived when nothing was left. The seller owes a refund.',
  not_a_plain_transfer: 'The payment moved within a contract, which the chain’s node cannot show.',
  not_enough: 'The buyer paid too little, another token or another recipient.',
  not_mined: 'The transaction was not included in a block in time.',
  not_owned: 'The seller no longer owns the token.',
  not_seen: 'No node of the chain knows the transaction.',
  other_payer: 'Another wallet than the buyer has paid.',
  payment_used: 'The payment counts for another order.',
  reorganized: 'The chain removed the payment after it was confirmed.',
  reverted: 'The transaction failed on the chain.',
  unrelated: 'The transaction does not pay this order.',
}

export const orderTexts = {
  cancel: 'Cancel order',
  events: {
    placed: 'Placed',
    reported: 'Payment reported',
    mined: (block: string) => `Payment found in block ${block}`,
    refundDue: 'A refund is due',
    removed: 'Removed from the lists',
  },
} as const
