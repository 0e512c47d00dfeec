import type { Auction } from '@mintmark/market'
import type { ReactNode } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { useNow } from '../../../components/time.tsx'
import { describeStatus } from './auctions.ts'

/** Shows the status of an auction. */
export function AuctionStatus({ auction }: { readonly auction: Auction }): ReactNode {
  const now = useNow()
  const { label, tone } = describeStatus(auction, now)
  return <Badge tone={tone}>{label}</Badge>
}
