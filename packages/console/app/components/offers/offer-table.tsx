import type { Offer } from '@mintmark/market'
import { type ReactNode, useState } from 'react'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { toTokenPath } from '../../navigation/token-path.ts'
import { useMayChange } from '../../session/project-context.tsx'
import { offersTexts } from '../../texts/market.ts'
import { Badge, type Tone } from '../badge.tsx'
import { Button } from '../button.tsx'
import type { Columns } from '../data-table.tsx'
import { OrderLink } from '../order-link.tsx'
import { SaleAmount } from '../token-amount.tsx'
import { WalletLink } from '../wallet-link.tsx'
import {
  AcceptOfferDialog,
  CancelOfferDialog,
  formatOfferedToken,
  RejectOfferDialog,
} from './offer-dialogs.tsx'

const { columns: headers, statuses } = offersTexts

const tones: Readonly<Record<keyof typeof statuses, Tone>> = {
  ACTIVE: 'info',
  ACCEPTED: 'success',
  REJECTED: 'danger',
  CANCELLED: 'neutral',
  EXPIRED: 'neutral',
}

/** The columns of a list of offers. */
export const offerColumns: Columns<Offer> = {
  payTokenAddress: { label: headers.token, cell: (offer) => <OfferedToken offer={offer} /> },
  totalPrice: {
    label: headers.price,
    align: 'end',
    cell: (offer) => <SaleAmount sale={offer} baseUnits={offer.totalPrice} />,
  },
  quantity: headers.quantity,
  offerer: { label: headers.offerer, cell: ({ offerer }) => <WalletLink address={offerer} /> },
  expireTime: headers.expires,
  status: { label: headers.status, cell: ({ status }) => <OfferStatusBadge status={status} /> },
  orderNo: { label: headers.order, isWideOnly: true, cell: ({ orderNo }) => <OrderLink orderNo={orderNo} /> },
}

function OfferedToken({ offer }: { readonly offer: Offer }): ReactNode {
  const { nftAddress, nftId } = offer
  const to = nftId === '' ? `contracts/${nftAddress}` : toTokenPath({ nftAddress, nftId })
  return <ProjectLink to={to}>{formatOfferedToken(offer)}</ProjectLink>
}

function OfferStatusBadge({ status }: { readonly status: string }): ReactNode {
  const known = status in statuses ? (status as keyof typeof statuses) : undefined
  return <Badge tone={known ? tones[known] : 'neutral'}>{known ? statuses[known] : status}</Badge>
}

/** Decisions about offers: `render` returns the buttons of a row, `dialog` is the one that is open. */
interface OfferDecisions {
  readonly render: ((offer: Offer) => ReactNode) | undefined
  readonly dialog: ReactNode
}

interface Decision {
  readonly kind: 'accept' | 'reject' | 'cancel'
  readonly offer: Offer
}

/**
 * Returns the buttons and the dialog for offers that a wallet received or made. No buttons for those who may
 * not decide.
 *
 * @param wallet The owner of the tokens, or the wallet that made the offers.
 */
export function useOfferDecisions(wallet: string, side: 'received' | 'made'): OfferDecisions {
  const mayChange = useMayChange()
  const [decision, setDecision] = useState<Decision>()
  const close = () => setDecision(undefined)
  const buttonOf = (kind: Decision['kind'], offer: Offer) => (
    <Button kind="plain" onClick={() => setDecision({ kind, offer })}>
      {offersTexts[kind]}
    </Button>
  )
  const render = (offer: Offer) => {
    if (offer.status !== 'ACTIVE') return null
    if (side === 'made') return buttonOf('cancel', offer)
    return (
      <span className="row-actions">
        {buttonOf('accept', offer)}
        {buttonOf('reject', offer)}
      </span>
    )
  }
  return {
    render: mayChange ? render : undefined,
    dialog: decision && <DecisionDialog {...decision} wallet={wallet} onClose={close} />,
  }
}

interface DecisionDialogProps extends Decision {
  readonly wallet: string
  readonly onClose: () => void
}

function DecisionDialog({ kind, ...props }: DecisionDialogProps): ReactNode {
  switch (kind) {
    case 'accept':
      return <AcceptOfferDialog {...props} />
    case 'reject':
      return <RejectOfferDialog {...props} />
    default:
      return <CancelOfferDialog {...props} />
  }
}
