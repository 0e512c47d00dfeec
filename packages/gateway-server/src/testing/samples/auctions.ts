import { type Auction, auctions, type CreatedTokens } from '@mintmark/market'
import { expect } from 'vitest'
import { createAuction } from '../auctions.ts'
import { createOwnedToken } from '../create-listing.ts'
import { newAddress, type Sample, sample } from './sample.ts'

export const auctionSamples: readonly Sample[] = [
  sample(auctions.create, {
    notReturned: ['reservePrice'],
    input: async ({ gateway, projectId }) => ({
      ...(await createOwnedToken(gateway, projectId)),
      quantity: 2,
      minimumBidAmount: '1000',
      buyoutBidAmount: '9000',
      reservePrice: '5000',
      payTokenAddress: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
      startTime: '2026-01-01T00:00:00Z',
      endTime: '2090-01-01T00:00:00Z',
      bidBufferBps: 0,
      reference: 'auction 7',
      timeBufferInSeconds: 0,
    }),
    refused: [
      ['seller', { seller: 'nobody' }],
      ['minimumBidAmount', { minimumBidAmount: '0' }],
      ['buyoutBidAmount', { buyoutBidAmount: '999' }],
      ['buyoutBidAmount', { buyoutBidAmount: '4999' }],
      ['payTokenAddress', { payTokenAddress: 'USDC' }],
      ['endTime', { endTime: '2026-01-01T00:00:00Z' }],
      ['endTime', { startTime: '2020-01-01T00:00:00Z', endTime: '2021-01-01T00:00:00Z' }],
      ['bidBufferBps', { bidBufferBps: -1 }],
      ['bidBufferBps', { bidBufferBps: 10_001 }],
      ['timeBufferInSeconds', { timeBufferInSeconds: -1 }],
      ['timeBufferInSeconds', { timeBufferInSeconds: 86_401 }],
    ],
    checkResponse: (data) => {
      expect(data).toMatchObject({ status: 'OPEN', bids: [], topBid: '0', payTokenDecimals: 6, orderNo: '' })
      expect(JSON.stringify(data)).not.toContain('"5000"')
    },
  }),
  sample(auctions.cancel, {
    input: async (project) => ({ id: (await createAuction(project)).id }),
    contains: { status: 'CANCELLED' },
  }),
  sample(auctions.bid, {
    input: async (project) => ({
      auctionId: (await createAuction(project)).id,
      bidder: newAddress(),
      amount: '1000',
    }),
    refused: [['bidder', { bidder: 'nobody' }]],
  }),
  sample(auctions.get, {
    async input(project) {
      const { id } = await createAuction(project)
      await auctions.bid(project.client, { auctionId: id, bidder: newAddress(), amount: '1000' })
      return { id }
    },
    checkResponse: ({ bids, ...data }: Auction) => {
      expect(data).toMatchObject({ topBid: '1000', bidCount: 1, reserveMet: true })
      expect(bids).toMatchObject([{ amount: '1000' }])
    },
  }),
  sample(auctions.ownedTokens, {
    input: async ({ gateway, projectId }) => ({ owner: (await createOwnedToken(gateway, projectId)).seller }),
    checkResponse: ({ list }: { list: CreatedTokens[] }, { owner }) =>
      expect(list).toMatchObject([
        { creator: owner, tokenCount: 1, tokens: [{ nftId: '7', quantity: '10', reserved: '0' }] },
      ]),
  }),
]
