import type { MarketType, OrderReason } from '@mintmark/orders'
import { t } from '../language/translate.ts'

/** How a token is sold. */
export const marketTypeTexts: Readonly<Record<MarketType, string>> = {
  1: t('Sale'),
  2: t('Sale with coupon'),
  3: t('Limited-time coupon'),
  4: t('Coupon code'),
  5: t('Sale to named wallets'),
  6: t('Auction'),
  7: t('Offer'),
  8: t('Product card'),
  9: t('Lazy minting'),
}

/** Why an order failed or needs a decision. */
export const orderReasonTexts: Readonly<Record<Exclude<OrderReason, ''>, string>> = {
  mined_before_order: t('The payment was made before the order was placed.'),
  no_stock: t('The payment arrived when nothing was left. The seller owes a refund.'),
  not_a_plain_transfer: t('The payment moved within a contract, which the chain’s node cannot show.'),
  not_enough: t('The buyer paid too little, another token or another recipient.'),
  not_mined: t('The transaction was not included in a block in time.'),
  not_owned: t('The seller no longer owns the token.'),
  not_seen: t('No node of the chain knows the transaction.'),
  other_payer: t('Another wallet than the buyer has paid.'),
  payment_used: t('The payment counts for another order.'),
  reorganized: t('The chain removed the payment after it was confirmed.'),
  reverted: t('The transaction failed on the chain.'),
  unrelated: t('The transaction does not pay this order.'),
}

export const orderTexts = {
  cancel: t('Cancel order'),
  events: {
    placed: t('Placed'),
    reported: t('Payment reported'),
    mined: (block: string) => t('Payment found in block {block}', { block }),
    refundDue: t('A refund is due'),
    removed: t('Removed from the lists'),
  },
} as const
