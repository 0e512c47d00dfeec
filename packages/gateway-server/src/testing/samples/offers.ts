import { type OfferOfToken, offers } from '@mintmark/market'
import { expect } from 'vitest'
import { createOffer } from '../create-offer.ts'
import { newAddress, type Sample, sample } from './sample.ts'

export const offerSamples: readonly Sample[] = [
  sample(offers.create, {
    async input(project) {
      const { nftAddress } = await createOffer(project)
      return {
        offerer: newAddress(),
        nftAddress,
        nftId: '7',
        quantity: 2,
        totalPrice: '3000',
        payTokenAddress: '',
        expireTime: '2090-01-01T00:00:00Z',
        reference: 'offer 7',
      }
    },
    refused: [
      ['offerer', { offerer: 'nobody' }],
      ['totalPrice', { totalPrice: '0' }],
      ['payTokenAddress', { payTokenAddress: 'USDC' }],
      ['expireTime', { expireTime: '2020-01-01T00:00:00Z' }],
    ],
    checkResponse: (data, { offerer }) =>
      expect(data).toMatchObject({
        offerer,
        status: 'ACTIVE',
        nftId: '7',
        nftName: 'Prints #7',
        orderNo: '',
      }),
  }),
  sample(offers.forNft, {
    async input(project) {
      const { nftAddress, nftId } = await createOffer(project)
      return { nftAddress, nftId, orderBy: 'totalPrice desc' as const }
    },
  }),
  sample(offers.highestByCollection, {
    input: async (project) => ({ nftAddress: (await createOffer(project)).nftAddress }),
  }),
  sample(offers.highestByOwner, {
    input: async (project) => ({ owner: (await createOffer(project)).owner }),
  }),
  sample(offers.maxByTokenType, {
    async input(project) {
      const { nftAddress, nftId } = await createOffer(project)
      return { nftAddress, nftId }
    },
    checkResponse: (data: OfferOfToken[]) =>
      expect(data).toMatchObject([{ payTokenType: 'NATIVE', offer: { totalPrice: '1000' } }]),
  }),
  sample(offers.received, {
    input: async (project) => ({ address: (await createOffer(project)).owner, status: 'ACTIVE' as const }),
  }),
  sample(offers.mine, {
    input: async (project) => ({
      address: (await createOffer(project, { reference: 'offer 7' })).offerer,
      reference: 'offer 7',
      status: 'ACTIVE' as const,
      from: '2020-01-01T00:00:00Z',
    }),
  }),
  sample(offers.accept, {
    notSent: ['nftId'],
    notReturned: ['id', 'owner'],
    async input(project) {
      const { id, owner } = await createOffer(project)
      return { id, owner }
    },
    refused: [
      ['owner', { owner: 'nobody' }],
      ['nftId', { nftId: '8' }],
    ],
    checkResponse: (data, { owner }) =>
      expect(data).toMatchObject({ sender: owner, marketType: 7, orderStatus: 0, payAmount: '1000' }),
  }),
  sample(offers.reject, {
    async input(project) {
      const { id, owner } = await createOffer(project)
      return { id, owner }
    },
    contains: { status: 'REJECTED' },
  }),
  sample(offers.cancel, {
    async input(project) {
      const { id, offerer } = await createOffer(project)
      return { id, offerer }
    },
    contains: { status: 'CANCELLED' },
  }),
]
