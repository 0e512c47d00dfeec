import { commonSales, productCards } from '@mintmark/market'
import { expect } from 'vitest'
import { createListing, createOwnedToken } from '../create-listing.ts'
import { newAddress, type Sample, sample } from './sample.ts'

export const marketSamples: readonly Sample[] = [
  sample(commonSales.collections, {
    async input(project) {
      await createListing(project)
      return { chainId: '84532', pageSize: 5 }
    },
    checkResponse: ({ list }: Awaited<ReturnType<typeof commonSales.collections>>) =>
      expect(list[0]).toMatchObject({ listed: 1, floorPrice: '1000', volume: '0', payTokenAddress: '' }),
  }),
  sample(commonSales.get, {
    input: async (project) => ({ id: (await createListing(project)).id }),
    checkResponse: (data, { id }) => expect(data).toMatchObject({ id, status: 'ON', remaining: 10 }),
  }),
  sample(commonSales.list, {
    input: async (project) => ({
      nftAddress: (await createListing(project, { reference: 'shelf 7' })).nftAddress,
      reference: 'shelf 7',
      minPrice: '1000',
      maxPrice: '1000',
      payTokenAddress: '',
    }),
  }),
  sample(commonSales.putOnShelf, {
    input: async ({ gateway, projectId }) => ({
      ...(await createOwnedToken(gateway, projectId)),
      quantity: 4,
      payPrice: '2500000',
      payTokenAddress: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
      endTime: '2090-01-01T00:00:00Z',
      reference: 'shelf 7',
    }),
    refused: [
      ['seller', { seller: 'nobody' }],
      ['reference', { reference: '' }],
      ['payPrice', { payPrice: '0' }],
      ['payTokenAddress', { payTokenAddress: 'USDC' }],
      ['payTokenAddress', { payTokenAddress: '0x00000000000000000000000000000000000000ff' }],
      ['endTime', { endTime: '2020-01-01T00:00:00Z' }],
      ['endTime', { startTime: '2091-01-01T00:00:00Z' }],
    ],
    checkResponse: (data, { seller }) =>
      expect(data).toMatchObject({ seller, marketType: 1, payTokenDecimals: 6, payTokenType: 'ERC20' }),
  }),
  sample(commonSales.takeOffShelf, {
    input: async (project) => ({ id: (await createListing(project)).id }),
    contains: { status: 'OFF', remaining: 10 },
  }),
  sample(productCards.addNftInfo, {
    input: () => ({ name: 'Print', nftAddress: newAddress(), owner: newAddress(), royaltyPercentage: 2.5 }),
    otherProject: 'own',
    refused: [
      ['status', { status: 'MINTED' }],
      ['royaltyPercentage', { royaltyPercentage: 100.01 }],
      ['limited', { limited: 0.5 }],
    ],
  }),
]
