/** Texts of the market: listings, coupons, auctions, offers and product cards. */
export const marketTexts = {
  title: 'Market',
  kind: 'Kind',
  kinds: {
    common: { name: 'Common', description: 'Everybody can buy at the price.' },
    coupon: { name: 'With a coupon', description: 'A coupon lowers the price of every order.' },
    limited: {
      name: 'Time-limited coupon',
      description: 'A coupon lowers the price of every order until it ends.',
    },
    code: { name: 'With coupon codes', description: 'Buyers who enter a code of a coupon pay less.' },
    specified: { name: 'For specified wallets', description: 'Only the wallets that you name can buy.' },
  },
  columns: {
    token: 'Token',
    price: 'Price of one',
    left: 'Left',
    reserved: 'Reserved',
    sold: 'Sold',
    ends: 'Ends',
    seller: 'Seller',
  },
  leftOf: (left: string, quantity: string) => `${left} of ${quantity}`,
  create: 'Put on the shelf',
} as const

export const couponsTexts = {
  title: 'Coupons',
  create: 'Create coupon',
  columns: {
    discount: 'Discount',
    uses: 'Uses',
    redeemed: 'Paid',
    ends: 'Ends',
    status: 'Status',
  },
  couponNo: (id: number) => `Coupon ${id}`,
  types: { '1': 'Percentage', '2': 'Amount off', '3': 'Fixed price' },
  fields: {
    couponType: { label: 'Kind of discount' },
    percent: { label: 'Discount in percent', description: 'More than 0, at most 100.' },
    payToken: {
      label: 'Token of the listings',
      description:
        'Amounts, such as the least price of an order, are in this token. Use the coupon for listings in it only.',
    },
    amountOff: { label: 'Amount off an order' },
    fixedPrice: { label: 'Price of one unit with the coupon' },
    count: { label: 'Number of codes', description: '1 to 10,000. Each has 12 characters.' },
    code: {
      label: 'Your own code',
      description: 'Instead of generated ones: 4 to 64 letters, digits and hyphens.',
    },
    minimumAmount: { label: 'Minimum of an order', description: 'Smaller orders do not get the discount.' },
    maxRedemptions: { label: 'Uses of all buyers together', description: 'Empty: no limit.' },
    maxPerWallet: { label: 'Uses for each wallet', description: 'Empty: no limit.' },
    startTime: { label: 'Valid from', description: 'In your time zone. Empty: now.' },
    endTime: { label: 'Valid until', description: 'In your time zone. Empty: forever.' },
  },
  code: { one: 'code', other: 'codes' },
  codesOnce: {
    title: 'Copy or download the codes now',
    advice: 'The gateway does not list them again. A code can be looked up later, one at a time.',
  },
  codes: 'Codes',
  copyAll: 'Copy all',
} as const

export const auctionsTexts = {
  create: 'Create auction',
  fields: {
    reservePrice: {
      label: 'Reserve price',
      description: 'Below this, nothing is sold. Bidders do not see it.',
    },
    buyoutBidAmount: { label: 'Buyout price', description: 'A bid of this amount ends the auction at once.' },
  },
  bids: 'Bids',
} as const
