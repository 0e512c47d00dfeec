export const searchTexts = {
  title: 'Search',
  label: 'Find an order, card or wallet',
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
