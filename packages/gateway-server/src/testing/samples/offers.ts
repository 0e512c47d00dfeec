import { type Offer, type OfferOfToken, offers } from '@mintmark/market'
import { expect } from 'vitest'
import { createOffer } from '../create-offer.ts'
import { newAddress, type Sample, sample } from './sample.ts'

const holdsOne = ({ list }: { list: readonly unknown[] }) => expect(list).toHaveLength(1)

export const offerSamples: readonly Sample[] = [
  sample(offers.create, {
    async given(project) {
      const { nftAddress } = await createOffer(project)
      return {
        ...{ offerer: newAddress(), nftAddress, nftId: '7', quantity: 2, totalPrice: '3000' },
        ...{ payTokenAddress: '', expireTime: '2090-01-01T00:00:00Z' },
      }
    },
    elsewhere: 'not found',
    refused: [
      ['offerer', { offerer: 'nobody' }],
      ['totalPrice', { totalPrice: '0' }],
      ['payTokenAddress', { payTokenAddress: 'USDC' }],
      ['expireTime', { expireTime: '2020-01-01T00:00:00Z' }],
      ['nftId', { nftId: '7'.repeat(129) }],
    ],
    answers: (data, { offerer }) =>
      expect(data).toMatchObject({
        offerer,
        status: 'ACTIVE',
        nftId: '7',
        nftName: 'Prints #7',
        orderNo: '',
      }),
  }),
  sample(offers.forNft, {
    async given(project) {
      const { nftAddress, nftId } = await createOffer(project)
      return { nftAddress, nftId, orderBy: 'totalPrice desc' }
    },
    elsewhere: 'empty',
    refused: [['orderBy', { orderBy: 'quantity' }]],
    answers: holdsOne,
  }),
  sample(offers.highestByCollection, {
    given: async (project) => ({ nftAddress: (await createOffer(project)).nftAddress }),
    elsewhere: 'empty',
    refused: [['orderBy', { orderBy: 'quantity' }]],
    answers: holdsOne,
  }),
  sample(offers.highestByOwner, {
    given: async (project) => ({ owner: (await createOffer(project)).owner }),
    elsewhere: 'empty',
    refused: [['orderBy', { orderBy: 'quantity' }]],
    answers: holdsOne,
  }),
  sample(offers.maxByTokenType, {
    async given(project) {
      const { nftAddress, nftId } = await createOffer(project)
      return { nftAddress, nftId }
    },
    elsewhere: 'empty',
    answers: (data: OfferOfToken[]) =>
      expect(data).toMatchObject([{ payTokenType: 'NATIVE', offer: { totalPrice: '1000' } }]),
  }),
  sample(offers.received, {
    given: async (project) => ({ address: (await createOffer(project)).owner, status: 'ACTIVE' as const }),
    elsewhere: 'empty',
    refused: [['orderBy', { orderBy: 'quantity' }]],
    answers: holdsOne,
  }),
  sample(offers.mine, {
    given: async (project) => ({ address: (await createOffer(project)).offerer, status: 'ACTIVE' as const }),
    elsewhere: 'empty',
    refused: [['orderBy', { orderBy: 'quantity' }]],
    answers: holdsOne,
  }),
  sample(offers.accept, {
    async given(project) {
      const { id, owner } = await createOffer(project)
      return { id, owner }
    },
    elsewhere: 'not found',
    refused: [
      ['owner', { owner: 'nobody' }],
      ['nftId', { nftId: '8' }],
    ],
    answers: (data, { owner }) =>
      expect(data).toMatchObject({ sender: owner, marketType: 7, orderStatus: 0, payAmount: '1000' }),
  }),
  sample(offers.reject, {
    async given(project) {
      const { id, owner } = await createOffer(project)
      return { id, owner }
    },
    elsewhere: 'not found',
    answers: (data: Offer) => expect(data).toMatchObject({ status: 'REJECTED' }),
  }),
  sample(offers.cancel, {
    async given(project) {
      const { id, offerer } = await createOffer(project)
      return { id, offerer }
    },
    elsewhere: 'not found',
    answers: (data: Offer) => expect(data).toMatchObject({ status: 'CANCELLED' }),
  }),
]
