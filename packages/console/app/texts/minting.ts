import { t } from '../language/translate.ts'

/** Texts of lazy minting, and of the phases and whitelists that product cards share with it. */
export const phasesTexts = {
  add: t('Add phase'),
  states: { upcoming: t('Upcoming'), open: t('Open'), ended: t('Ended') },
  paidBy: { CHAIN: t('collected by the contract'), ORDER: t('paid by an order') },
  modes: {
    NONE: t('Every wallet'),
    LIST: t('Wallets on the whitelist'),
    MERKLE: t('Wallets with a proof (Merkle tree)'),
  },
  pricedByOptions: {
    CHAIN: t('The contract collects the price'),
    ORDER: t('An order collects the price before the mint'),
  },
} as const

export const collectionTexts = {
  fields: {
    description: { label: t('Description'), description: t('Empty: the description of the contract.') },
    tokenUri: {
      label: t('Metadata of tokens by quantity'),
      description: t('Empty: tokens cannot be minted by quantity.'),
    },
    primarySaleRecipient: {
      label: t('Receives the price'),
      description: t('A wallet. Empty: the contract decides.'),
    },
    royaltyRecipient: {
      label: t('Receives royalties'),
      description: t('A wallet. Empty: the contract decides.'),
    },
    royaltyPercentage: { label: t('Royalty in percent'), description: t('0 to 100.') },
  },
  previews: t('Previews'),
} as const
