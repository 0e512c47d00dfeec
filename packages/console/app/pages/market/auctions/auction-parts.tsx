import type { Auction } from '@mintmark/market'
import type { ReactNode } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { useNow } from '../../../components/time.tsx'
import { TokenAmount } from '../../../components/token-amount.tsx'
import { describeStatus } from './auctions.ts'

interface AuctionProps {
  readonly auction: Auction
}

/** Shows the status of an auction. */
export function AuctionStatus({ auction }: AuctionProps): ReactNode {
  const now = useNow()
  const { label, tone } = describeStatus(auction, now)
  return <Badge tone={tone}>{label}</Badge>
}

interface AuctionAmountProps extends AuctionProps {
  readonly baseUnits: string
}

/** Shows an amount in the token of an auction. */
export function AuctionAmount({ auction, baseUnits }: AuctionAmountProps): ReactNode {
  const { chainId, payTokenAddress, payTokenDecimals: decimals } = auction
  return (
    <TokenAmount
      chainId={chainId}
      payTokenAddress={payTokenAddress}
      decimals={decimals}
      baseUnits={baseUnits}
    />
  )
}
