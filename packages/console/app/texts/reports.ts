export const reportTexts = {
  /** How the columns of sales and of redemptions are named, in the table and in the file. */
  sales: {
    orders: 'Orders',
    quantity: 'Items sold',
    paid: 'Paid',
    refunded: 'Refunded',
    kept: 'Kept',
  },
  redemptions: {
    accepted: 'Accepted',
    undone: 'Undone',
    redeemed: 'Redeemed',
    refused: 'Refused',
    reasons: 'Why refused',
  },
  by: {
    day: 'Day',
    month: 'Month',
    item: 'Item',
    store: 'Store',
    campaign: 'Campaign',
    person: 'Person',
  },
  change: 'Change',
  unnamed: { item: 'Unnamed token', store: 'No store', campaign: 'Other cards' },
} as const
