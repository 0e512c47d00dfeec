export const searchTexts = {
  title: 'Search',
  label: 'Find an order, card or wallet',
  description:
    'By what a customer tells you: the number of an order, the hash of a payment, a wallet, a name, the code of a card, or your reference.',
  columns: {
    name: 'Name',
    kind: 'Kind',
    foundBy: 'Found by',
    wallet: 'Wallet',
    created: 'Created',
  },
  kinds: { ORDER: 'Order', CARD: 'Card', WALLET: 'Wallet' },
  foundBy: {
    ID: 'Number',
    CODE: 'Code',
    HASH: 'Payment',
    WALLET: 'Wallet',
    NAME: 'Name',
    REFERENCE: 'Your reference',
  },
  nothing: 'Check what the customer told you. Codes and references must be complete.',
  noName: 'No name',
} as const
