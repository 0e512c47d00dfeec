export const searchTexts = {
  title: 'Search',
  label: 'Find an order, card or wallet',
  pages: 'Pages of the console',
  noRecords: 'No order, card or wallet found',
  kinds: { ORDER: 'Order', CARD: 'Card', WALLET: 'Wallet' },
  foundBy: {
    ID: 'Number',
    CODE: 'Code',
    HASH: 'Payment',
    WALLET: 'Wallet',
    NAME: 'Name',
    REFERENCE: 'Your reference',
  },
} as const
