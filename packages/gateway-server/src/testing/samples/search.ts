import { projectSearch } from '@mintmark/admin'
import { walletInfo } from '@mintmark/wallet'
import { expect } from 'vitest'
import { newAddress, type Sample, sample } from './sample.ts'

export const searchSamples: readonly Sample[] = [
  sample(projectSearch.find, {
    input: async ({ client }) => {
      const address = newAddress()
      await walletInfo.add(client, { address, name: `Ada ${address}` })
      return { text: `ada ${address}` }
    },
    checkResponse: (data) => expect(data).toMatchObject([{ kind: 'WALLET', foundBy: 'NAME' }]),
  }),
]
