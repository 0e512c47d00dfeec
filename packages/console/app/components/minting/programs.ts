import { lazyMinting, type Presale } from '@mintmark/contracts'
import { productCards } from '@mintmark/market'
import { useOperation } from '../../api/operations.ts'

/**
 * The operations of phases and whitelists of the two ways in which buyers mint. Both have the same inputs and
 * records.
 */
export const mintingPrograms = {
  lazyMinting: {
    product: lazyMinting.product,
    updatePresale: lazyMinting.updatePresale,
    whitelist: lazyMinting.whitelist,
    addToWhitelist: lazyMinting.addToWhitelist,
    removeFromWhitelist: lazyMinting.removeFromWhitelist,
  },
  productCards: {
    product: productCards.product,
    updatePresale: productCards.updatePresale,
    whitelist: productCards.whitelist,
    addToWhitelist: productCards.addToWhitelist,
    removeFromWhitelist: productCards.removeFromWhitelist,
  },
} as const

export type MintingProgram = keyof typeof mintingPrograms

/** Returns a presale as it is now, for a dialog that was opened with it. */
export function usePresale(program: MintingProgram, opened: Presale): Presale {
  const { product } = mintingPrograms[program]
  const { data } = useOperation<typeof product>(product, { nftAddress: opened.nftAddress })
  return data?.presale ?? opened
}
