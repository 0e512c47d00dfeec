import type { Listing } from '@mintmark/market'
import { confirm } from '../../../components/dialogs.tsx'
import { t } from '../../../language/translate.ts'
import { getListingKind, listingKinds } from './listing-kinds.ts'

type CloseListing = (typeof listingKinds)[keyof typeof listingKinds]['takeOffShelf']

/** Asks before a listing is taken off the shelf. */
export function closeListing(listing: Listing): Promise<unknown> {
  const { id, nftName, remaining } = listing
  return confirm<CloseListing>({
    operation: listingKinds[getListingKind(listing)].takeOffShelf,
    input: { id },
    title: t('Take {nftName} off the shelf?', { nftName }),
    text: t(
      '{count, plural, one {# unit that nobody has ordered is} other {# units that nobody has ordered are}} no longer for sale. Open orders can still be paid. A closed listing cannot be opened again: put the token on the shelf anew.',
      { count: remaining },
    ),
    action: t('Take off the shelf'),
    done: t('{nftName} is off the shelf', { nftName }),
  })
}
