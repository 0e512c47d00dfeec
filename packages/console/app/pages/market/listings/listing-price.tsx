import type { Listing } from '@mintmark/market'
import type { ReactNode } from 'react'
import { Time } from '../../../components/time.tsx'
import { SaleAmount } from '../../../components/token-amount.tsx'
import { hasChosenEnd } from '../../../format/open-end.ts'

interface ListingProps {
  readonly listing: Listing
}

/** Shows the price of one unit of a listing. */
export function ListingPrice({ listing }: ListingProps): ReactNode {
  return <SaleAmount sale={listing} baseUnits={listing.payPrice} />
}

/** Shows when a listing ends. */
export function ListingEnd({ listing }: ListingProps): ReactNode {
  if (!hasChosenEnd(listing)) return <span className="faint">Open end</span>
  return <Time value={listing.endTime} />
}
