import {
  type commonSales,
  couponCodes,
  couponSales,
  limitedTimeCoupons,
  type MadeCoupon,
  specifiedSales,
} from '@mintmark/market'
import { expect } from 'vitest'
import { createOwnedToken } from '../create-listing.ts'
import { newAddress, type Sample, type SampleProject, sample } from './sample.ts'

const NEXT_CENTURY = '2100-01-01T00:00:00Z'
const TENTH = { couponType: 1, value: '1000' } as const
const FIRST_WALLET = '0x00000000000000000000000000000000000000b1'

/** Returns the input for listing a new token. */
async function newSale({ gateway, projectId }: SampleProject) {
  return { ...(await createOwnedToken(gateway, projectId)), quantity: 4, payPrice: '1000' }
}

const withCoupon = async (project: SampleProject) => ({
  ...(await newSale(project)),
  coupon: { ...TENTH, maxRedemptions: 3 },
})
const withLimitedCoupon = async (project: SampleProject) => ({
  ...(await newSale(project)),
  coupon: { ...TENTH, endTime: NEXT_CENTURY },
})
const withCouponId = async (project: SampleProject) => ({
  ...(await newSale(project)),
  couponId: (await couponCodes.create(project.client, TENTH)).coupon.id,
})
const reserved = async (project: SampleProject) => ({
  ...(await newSale(project)),
  reservedFor: [FIRST_WALLET, FIRST_WALLET.toUpperCase().replace('X', 'x')],
})

// Some have wrong types on purpose.
const wrongCoupons = [
  ['coupon', { coupon: { ...TENTH, couponType: 4, endTime: NEXT_CENTURY } }],
  ['coupon.value', { coupon: { ...TENTH, value: '10001', endTime: NEXT_CENTURY } }],
  ['coupon.value', { coupon: { couponType: 2, value: '0', endTime: NEXT_CENTURY } }],
  ['coupon.code', { coupon: { ...TENTH, code: 'ÄÖÜ-1', endTime: NEXT_CENTURY } }],
  ['coupon.endTime', { coupon: { ...TENTH, endTime: '2020-01-01T00:00:00Z' } }],
  ['coupon.maxPerWallet', { coupon: { ...TENTH, maxPerWallet: 0, endTime: NEXT_CENTURY } }],
  ['payPrice', { payPrice: '0' }],
] as unknown as readonly (readonly [string, never])[]

const endless = ['coupon.endTime', { coupon: TENTH }] as unknown as readonly [string, never]

/** The samples that every market type of listings has. */
function shelfSamples(
  sales: Pick<typeof commonSales, 'collections' | 'get' | 'list' | 'takeOffShelf'>,
  marketType: number,
  put: (project: SampleProject) => Promise<{ id: number; nftAddress: string }>,
): Sample[] {
  return [
    sample(sales.collections, {
      async input(project) {
        await put(project)
        return { chainId: '84532', pageSize: 5 }
      },
      checkResponse: ({ list }: Awaited<ReturnType<typeof commonSales.collections>>) =>
        expect(list[0]).toMatchObject({ listed: 1, floorPrice: '1000', volume: '0' }),
    }),
    sample(sales.get, {
      input: async (project) => ({ id: (await put(project)).id }),
      checkResponse: (data, { id }) =>
        expect(data).toMatchObject({ id, marketType, status: 'ON', remaining: 4 }),
    }),
    sample(sales.list, {
      input: async (project) => ({ nftAddress: (await put(project)).nftAddress, maxPrice: '1000' }),
      checkResponse: ({ list }: Awaited<ReturnType<typeof commonSales.list>>) =>
        expect(list).toMatchObject([{ marketType }]),
    }),
    sample(sales.takeOffShelf, {
      input: async (project) => ({ id: (await put(project)).id }),
      contains: { status: 'OFF', marketType },
    }),
  ]
}

type Shelf = Parameters<typeof shelfSamples>[0]
// Their types differ by the ids of the operations only.
const shelfOf = (sales: Record<keyof Shelf, unknown>) => sales as Shelf

export const salesSamples: readonly Sample[] = [
  ...shelfSamples(shelfOf(couponSales), 2, async (project) =>
    couponSales.putOnShelf(project.client, await withCoupon(project)),
  ),
  ...shelfSamples(shelfOf(limitedTimeCoupons), 3, async (project) =>
    limitedTimeCoupons.putOnShelf(project.client, await withLimitedCoupon(project)),
  ),
  ...shelfSamples(shelfOf(couponCodes), 4, async (project) =>
    couponCodes.putOnShelf(project.client, await withCouponId(project)),
  ),
  ...shelfSamples(shelfOf(specifiedSales), 5, async (project) =>
    specifiedSales.putOnShelf(project.client, await reserved(project)),
  ),
  sample(couponSales.putOnShelf, {
    notSent: ['payTokenAddress'],
    input: withCoupon,
    refused: wrongCoupons,
    contains: {
      marketType: 2,
      coupon: {
        code: expect.stringMatching(/^[A-HJKMNP-Z2-9]{12}$/),
        couponType: 1,
        value: '1000',
        maxRedemptions: 3,
        maxPerWallet: 0,
        used: 0,
        redeemed: 0,
        minimumAmount: '0',
        endTime: '',
      },
    },
  }),
  sample(couponSales.putOnShelfLimited, {
    notSent: ['payTokenAddress'],
    input: withLimitedCoupon,
    refused: [...wrongCoupons, endless],
    contains: { marketType: 3, coupon: { endTime: '2100-01-01T00:00:00.000Z' } },
  }),
  sample(limitedTimeCoupons.putOnShelf, {
    notSent: ['payTokenAddress'],
    input: withLimitedCoupon,
    refused: [...wrongCoupons, endless],
    contains: { marketType: 3, coupon: { marketType: 3 } },
  }),
  sample(limitedTimeCoupons.getByCode, {
    async input(project) {
      const listing = await limitedTimeCoupons.putOnShelf(project.client, await withLimitedCoupon(project))
      return { couponCode: String(listing.coupon.code).toLowerCase() }
    },
    checkResponse: (data, { couponCode }) =>
      expect(data).toMatchObject({ code: couponCode.toUpperCase(), listings: [{ marketType: 3 }] }),
  }),
  sample(couponCodes.putOnShelf, {
    notSent: ['payTokenAddress'],
    notReturned: ['couponId'],
    input: withCouponId,
    refused: [
      ['payPrice', { payPrice: '0' }],
      ['seller', { seller: 'nobody' }],
    ],
    checkResponse: (data, { couponId }) => expect(data).toMatchObject({ coupon: { id: couponId, code: '' } }),
  }),
  sample(couponCodes.create, {
    input: () => ({ couponType: 3 as const, value: '900', maxPerWallet: 1, minimumAmount: '1000', count: 3 }),
    otherProject: 'own',
    refused: [
      ['value', { value: '0' }],
      ['value', { couponType: 1, value: '10001' }],
      ['code', { code: 'abc', count: 1 }],
      ['code', { code: 'SUMMER_26', count: 1 }],
      ['count', { code: 'SUMMER-26' }],
      ['count', { count: 10_001 }],
      ['endTime', { startTime: NEXT_CENTURY, endTime: NEXT_CENTURY }],
    ],
    checkResponse: ({ coupon, codes }: MadeCoupon) => {
      expect(coupon).toMatchObject({ marketType: 4, couponType: 3, value: '900', maxPerWallet: 1 })
      expect(new Set(codes).size).toBe(3)
    },
  }),
  sample(specifiedSales.putOnShelf, {
    notSent: ['payTokenAddress'],
    input: reserved,
    refused: [
      ['reservedFor', { reservedFor: [] }],
      ['reservedFor.1', { reservedFor: [newAddress(), 'nobody'] }],
      ['reservedFor', { seller: FIRST_WALLET }],
    ],
    contains: { marketType: 5, reservedFor: [FIRST_WALLET] },
  }),
]
