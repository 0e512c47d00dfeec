import { lazyMinting } from '@mintmark/contracts'
import { productCards } from '@mintmark/market'

/**
 * The operations of phases and whitelists of the two ways in which buyers mint. Both have the same inputs and
 * records.
 */
export const mintingPrograms = {
  lazyMinting: {
    presale: lazyMinting.presale,
    updatePresale: lazyMinting.updatePresale,
    whitelist: lazyMinting.whitelist,
    addToWhitelist: lazyMinting.addToWhitelist,
    removeFromWhitelist: lazyMinting.removeFromWhitelist,
  },
  productCards: {
    presale: productCards.presale,
    updatePresale: productCards.updatePresale,
    whitelist: productCards.whitelist,
    addToWhitelist: productCards.addToWhitelist,
    removeFromWhitelist: productCards.removeFromWhitelist,
  },
} as const

export type MintingProgram = keyof typeof mintingPrograms
