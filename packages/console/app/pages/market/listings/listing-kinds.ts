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
  common: { marketType: 1, list: commonSales.list, get: commonSales.get, close: commonSales.takeOffShelf },
  coupon: { marketType: 2, list: couponSales.list, get: couponSales.get, close: couponSales.takeOffShelf },
  limited: {
    marketType: 3,
    list: limitedTimeCoupons.list,
    get: limitedTimeCoupons.get,
    close: limitedTimeCoupons.takeOffShelf,
  },
  code: { marketType: 4, list: couponCodes.list, get: couponCodes.get, close: couponCodes.takeOffShelf },
  specified: {
    marketType: 5,
    list: specifiedSales.list,
    get: specifiedSales.get,
    close: specifiedSales.takeOffShelf,
  },
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
