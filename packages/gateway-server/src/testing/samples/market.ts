import { productCards } from '@mintmark/market'
import { newAddress, type Sample, sample } from './sample.ts'

export const marketSamples: readonly Sample[] = [
  sample(productCards.addNftInfo, {
    given: () => ({ name: 'Print', nftAddress: newAddress(), owner: newAddress(), royaltyPercentage: 2.5 }),
    elsewhere: 'own',
    refused: [
      ['status', { status: 'MINTED' }],
      ['royaltyPercentage', { royaltyPercentage: 100.01 }],
      ['limited', { limited: 0.5 }],
      ['owner', { owner: 'x'.repeat(129) }],
    ],
  }),
]
