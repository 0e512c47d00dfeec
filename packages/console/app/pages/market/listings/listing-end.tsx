import type { Listing } from '@mintmark/market'
import type { ReactNode } from 'react'
import { Time } from '../../../components/time.tsx'
import { hasChosenEnd } from '../../../format/time.ts'
import { t } from '../../../language/translate.ts'

/** Shows when a listing ends. */
export function ListingEnd({ listing }: { readonly listing: Listing }): ReactNode {
  if (!hasChosenEnd(listing)) return <span className="faint">{t('Open end')}</span>
  return <Time value={listing.endTime} />
}
