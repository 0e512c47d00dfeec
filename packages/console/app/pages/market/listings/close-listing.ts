import type { Listing } from '@mintmark/market'
import { confirm } from '../../../components/dialogs.tsx'
import { formatQuantity } from '../../../format/number.ts'
import { getListingKind, listingKinds } from './listing-kinds.ts'

type CloseListing = (typeof listingKinds)[keyof typeof listingKinds]['takeOffShelf']

/** Asks before a listing is taken off the shelf. */
export function closeListing(listing: Listing): Promise<unknown> {
  const { id, nftName, remaining } = listing
  const units = formatQuantity(remaining, { one: 'unit', other: 'units' })
  return confirm<CloseListing>({
    operation: listingKinds[getListingKind(listing)].takeOffShelf,
    input: { id },
    title: `Take ${nftName} off the shelf?`,
    text: `${units} that nobody has ordered are no longer for sale. Open orders can still be paid. A closed listing cannot be opened again: put the token on the shelf anew.`,
    action: 'Take off the shelf',
    done: `${nftName} is off the shelf`,
  })
}
