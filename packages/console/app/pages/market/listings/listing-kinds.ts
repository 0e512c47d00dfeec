import {
  commonSales,
  couponCodes,
  couponSales,
  type Listing,
  limitedTimeCoupons,
  specifiedSales,
} from '@mintmark/market'

/** The kinds of listings, by their name in addresses, with their operations. */
export const listingKinds = {
  common: { marketType: 1, ...commonSales },
  coupon: { marketType: 2, ...couponSales },
  limited: { marketType: 3, ...limitedTimeCoupons },
  code: { marketType: 4, ...couponCodes },
  specified: { marketType: 5, ...specifiedSales },
} as const

export type ListingKind = keyof typeof listingKinds

/** The names of the kinds, in the order in which people see them. */
export const listingKindNames = Object.keys(listingKinds) as readonly ListingKind[]

/** Reads a kind from an address; common listings for anything else. */
export function readListingKind(text: string | undefined): ListingKind {
  return listingKindNames.find((name) => name === text) ?? 'common'
}

/** Returns the kind of a listing. */
export function getListingKind({ marketType }: Pick<Listing, 'marketType'>): ListingKind {
  return listingKindNames.find((name) => listingKinds[name].marketType === marketType) ?? 'common'
}

/** Counts the units that open orders reserve: neither sold nor left. */
export function countReserved({ quantity, sold, remaining }: Listing): number {
  return Math.max(0, quantity - sold - remaining)
}
