/** Texts of lazy minting, and of the phases and whitelists that product cards share with it. */
export const phasesTexts = {
  add: 'Add phase',
  states: { upcoming: 'Upcoming', open: 'Open', ended: 'Ended' },
  paidBy: { CHAIN: ', collected by the contract', ORDER: ', paid by an order' },
  modes: {
    NONE: 'Every wallet',
    LIST: 'Wallets on the whitelist',
    MERKLE: 'Wallets with a proof (Merkle tree)',
  },
  pricedByOptions: {
    CHAIN: 'The contract collects the price',
    ORDER: 'An order collects the price before the mint',
  },
} as const

export const whitelistTexts = {
  ready: { one: 'wallet is ready', other: 'wallets are ready' },
  problem: { one: 'line is wrong', other: 'lines are wrong' },
  wallets: { one: 'wallet', other: 'wallets' },
} as const

export const collectionTexts = {
  fields: {
    description: { label: 'Description', description: 'Empty: the description of the contract.' },
    tokenUri: {
      label: 'Metadata of tokens by quantity',
      description: 'Empty: tokens cannot be minted by quantity.',
    },
    primarySaleRecipient: {
      label: 'Receives the price',
      description: 'A wallet. Empty: the contract decides.',
    },
    royaltyRecipient: { label: 'Receives royalties', description: 'A wallet. Empty: the contract decides.' },
    royaltyPercentage: { label: 'Royalty in percent', description: '0 to 100.' },
  },
  previews: 'Previews',
} as const
