import { t } from '../language/translate.ts'

/** Texts of the market: listings, coupons, auctions, offers and product cards. */
export const marketTexts = {
  title: t('Market'),
  kind: t('Kind'),
  kinds: {
    common: { name: t('Common'), description: t('Everybody can buy at the price.') },
    coupon: { name: t('With a coupon'), description: t('A coupon lowers the price of every order.') },
    limited: {
      name: t('Time-limited coupon'),
      description: t('A coupon lowers the price of every order until it ends.'),
    },
    code: { name: t('With coupon codes'), description: t('Buyers who enter a code of a coupon pay less.') },
    specified: {
      name: t('For specified wallets'),
      description: t('Only the wallets that you name can buy.'),
    },
  },
  columns: {
    token: t('Token'),
    price: t('Price of one'),
    left: t('Left'),
    reserved: t('Reserved'),
    sold: t('Sold'),
    ends: t('Ends'),
    seller: t('Seller'),
  },
  leftOf: (left: string, quantity: string) => t('{left} of {quantity}', { left, quantity }),
  create: t('Put on the shelf'),
} as const

export const couponsTexts = {
  title: t('Coupons'),
  create: t('Create coupon'),
  columns: {
    discount: t('Discount'),
    uses: t('Uses'),
    redeemed: t('Paid'),
    ends: t('Ends'),
    status: t('Status'),
  },
  couponNo: (id: number) => t('Coupon {id}', { id }),
  types: { '1': t('Percentage'), '2': t('Amount off'), '3': t('Fixed price') },
  fields: {
    couponType: { label: t('Kind of discount') },
    percent: { label: t('Discount in percent'), description: t('More than 0, at most 100.') },
    payToken: {
      label: t('Token of the listings'),
      description: t(
        'Amounts, such as the least price of an order, are in this token. Use the coupon for listings in it only.',
      ),
    },
    amountOff: { label: t('Amount off an order') },
    fixedPrice: { label: t('Price of one unit with the coupon') },
    count: { label: t('Number of codes'), description: t('1 to 10,000. Each has 12 characters.') },
    code: {
      label: t('Your own code'),
      description: t('Instead of generated ones: 4 to 64 letters, digits and hyphens.'),
    },
    minimumAmount: {
      label: t('Minimum of an order'),
      description: t('Smaller orders do not get the discount.'),
    },
    maxRedemptions: { label: t('Uses of all buyers together'), description: t('Empty: no limit.') },
    maxPerWallet: { label: t('Uses for each wallet'), description: t('Empty: no limit.') },
    startTime: { label: t('Valid from'), description: t('In your time zone. Empty: now.') },
    endTime: { label: t('Valid until'), description: t('In your time zone. Empty: forever.') },
  },
  codesOf: (count: number, id: number) =>
    t('{count, plural, one {# code} other {# codes}} for coupon {id}', { count, id }),
  codesOnce: {
    title: t('Copy or download the codes now'),
    advice: t('The gateway does not list them again. A code can be looked up later, one at a time.'),
  },
  codes: t('Codes'),
  copyAll: t('Copy all'),
} as const

export const auctionsTexts = {
  create: t('Create auction'),
  fields: {
    reservePrice: {
      label: t('Reserve price'),
      description: t('Below this, nothing is sold. Bidders do not see it.'),
    },
    buyoutBidAmount: {
      label: t('Buyout price'),
      description: t('A bid of this amount ends the auction at once.'),
    },
  },
  bids: t('Bids'),
} as const
