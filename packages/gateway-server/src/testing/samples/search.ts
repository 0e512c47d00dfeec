import { projectSearch } from '@mintmark/admin'
import { walletInfo } from '@mintmark/wallet'
import { newAddress, type Sample, sample } from './sample.ts'

export const searchSamples: readonly Sample[] = [
  sample(projectSearch.find, {
    input: async ({ client }) => {
      const address = newAddress()
      await walletInfo.add(client, { address, name: `Ada ${address}` })
      return { text: `ada ${address}` }
    },
    contains: [{ kind: 'WALLET', foundBy: 'NAME' }],
  }),
]
