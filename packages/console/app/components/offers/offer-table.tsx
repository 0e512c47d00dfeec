import type { Offer } from '@mintmark/market'
import type { ReactNode } from 'react'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { toTokenPath } from '../../navigation/token-path.ts'
import { offersTexts } from '../../texts/market.ts'
import type { Tone } from '../badge.tsx'
import { Button } from '../button.tsx'
import type { Columns } from '../data-table.tsx'
import { OrderLink } from '../order-link.tsx'
import { StatusBadge } from '../status-badge.tsx'
import { SaleAmount } from '../token-amount.tsx'
import { WalletLink } from '../wallet-link.tsx'
import { acceptOffer, cancelOffer, formatOfferedToken, rejectOffer } from './decide-offer.ts'

const { statuses } = offersTexts

const tones: Readonly<Record<keyof typeof statuses, Tone>> = {
  ACTIVE: 'info',
  ACCEPTED: 'success',
  REJECTED: 'danger',
  CANCELLED: 'neutral',
  EXPIRED: 'neutral',
}

/** The columns of a list of offers. */
export const offerColumns: Columns<Offer> = {
  payTokenAddress: { label: 'Token', cell: (offer) => <OfferedToken offer={offer} /> },
  totalPrice: {
    label: 'Price of all',
    align: 'end',
    cell: (offer) => <SaleAmount sale={offer} baseUnits={offer.totalPrice} />,
  },
  quantity: 'Units',
  offerer: { label: 'From', cell: ({ offerer }) => <WalletLink address={offerer} /> },
  expireTime: 'Expires',
  status: {
    label: 'Status',
    cell: ({ status }) => <StatusBadge status={status} names={statuses} tones={tones} />,
  },
  orderNo: { label: 'Order', isWideOnly: true, cell: ({ orderNo }) => <OrderLink orderNo={orderNo} /> },
}

function OfferedToken({ offer }: { readonly offer: Offer }): ReactNode {
  const { nftAddress, nftId } = offer
  const to = nftId === '' ? `contracts/${nftAddress}` : toTokenPath({ nftAddress, nftId })
  return <ProjectLink to={to}>{formatOfferedToken(offer)}</ProjectLink>
}

interface OfferButtonsProps {
  readonly offer: Offer
  /** The owner of the token, or the wallet that made the offer. */
  readonly wallet: string
  readonly side: 'received' | 'made'
}

/** What a wallet can decide about an offer that it received or made. */
export function OfferButtons({ offer, wallet, side }: OfferButtonsProps): ReactNode {
  if (offer.status !== 'ACTIVE') return null
  const buttonOf = (label: string, decide: (offer: Offer, wallet: string) => unknown) => (
    <Button kind="plain" onClick={() => void decide(offer, wallet)}>
      {label}
    </Button>
  )
  if (side === 'made') return buttonOf('Cancel', cancelOffer)
  return (
    <span className="row-actions">
      {buttonOf('Accept', acceptOffer)}
      {buttonOf('Reject', rejectOffer)}
    </span>
  )
}
