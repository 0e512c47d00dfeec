export const searchTexts = {
  title: 'Search',
  label: 'Find an order, card or wallet',
  description:
    'Enter what a customer tells you: an order number, a transaction hash, a wallet, a name, a card code or your reference.',
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
  nothing: 'Check the spelling. Codes and references must be complete.',
  noName: 'No name',
} as const
