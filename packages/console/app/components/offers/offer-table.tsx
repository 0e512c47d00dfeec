import { type Offer, offers } from '@mintmark/market'
import type { ReactNode } from 'react'
import { shortenIdentifier } from '../../format/identifier.ts'
import { t } from '../../language/translate.ts'
import { ProjectLink, toTokenPath } from '../../navigation/project-link.tsx'
import { createStatusColumn } from '../badge.tsx'
import { Button } from '../button.tsx'
import { alignEnd, type Columns } from '../data-table.tsx'
import { confirm, openForm } from '../dialogs.tsx'
import { OrderLink, WalletLink } from '../links.tsx'
import { formatTokenAmount, SaleAmount } from '../token-amount.tsx'

export const offerStatuses = {
  ACTIVE: [t('Open'), 'info'],
  ACCEPTED: [t('Accepted'), 'success'],
  REJECTED: [t('Rejected'), 'danger'],
  CANCELLED: [t('Cancelled'), 'neutral'],
  EXPIRED: [t('Expired'), 'neutral'],
} as const

/** The columns of a list of offers. */
export const offerColumns: Columns<Offer> = {
  payTokenAddress: { label: t('Token'), cell: (offer) => <OfferedToken offer={offer} /> },
  totalPrice: alignEnd(t('Price of all'), (offer) => (
    <SaleAmount sale={offer} baseUnits={offer.totalPrice} />
  )),
  quantity: t('Units'),
  offerer: { label: t('From'), cell: ({ offerer }) => <WalletLink address={offerer} /> },
  expireTime: t('Expires'),
  status: createStatusColumn(offerStatuses),
  orderNo: { label: t('Order'), isWideOnly: true, cell: ({ orderNo }) => <OrderLink orderNo={orderNo} /> },
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
  if (side === 'made') return buttonOf(t('Cancel||offer'), cancelOffer)
  return (
    <span className="row-actions">
      {buttonOf(t('Accept'), acceptOffer)}
      {buttonOf(t('Reject'), rejectOffer)}
    </span>
  )
}

/** Names what an offer is for. */
function formatOfferedToken({ nftId, nftName }: Pick<Offer, 'nftId' | 'nftName'>): string {
  return nftId === '' ? t('Any token of {nftName}', { nftName }) : nftName
}

/**
 * Accepts an offer as the owner of the token.
 *
 * @param wallet The owner.
 */
function acceptOffer(offer: Offer, wallet: string): Promise<unknown> {
  const { id, chainId, payTokenAddress, payTokenDecimals: decimals, totalPrice: baseUnits } = offer
  const amount = formatTokenAmount({ chainId, payTokenAddress, decimals, baseUnits })
  const isRequired = true
  return openForm({
    operation: offers.accept,
    fields: {
      ...(offer.nftId === '' && {
        nftId: {
          kind: 'code',
          isRequired,
          label: t('Token id'),
          description: t('The offer is for any token of the collection. Enter the one to sell.'),
        } as const,
      }),
      owner: {
        kind: 'address',
        isRequired,
        label: t('Seller'),
        description: t('The wallet that owns the token.'),
      },
    },
    fixed: { id },
    isDismissable: true,
    initial: { owner: wallet },
    title: t('Accept the offer for {offer}?', { offer: formatOfferedToken(offer) }),
    text: t(
      '{wallet} sells for {amount}. The token is reserved, and the buyer gets an order to pay. This cannot be taken back.',
      { wallet: shortenIdentifier(wallet), amount },
    ),
    action: t('Accept the offer'),
    done: ({ orderNo }) => t('The offer is accepted: order {orderNo}', { orderNo }),
  })
}

/** Rejects an offer as the owner of the token. */
const rejectOffer = (offer: Offer, owner: string): Promise<unknown> =>
  confirm({
    operation: offers.reject,
    input: { id: offer.id, owner },
    title: t('Reject the offer for {offer}?', { offer: formatOfferedToken(offer) }),
    text: t('The buyer has to make a new offer. This cannot be undone.'),
    action: t('Reject'),
    done: t('The offer is rejected'),
  })

/** Cancels an offer as the wallet that made it. */
const cancelOffer = (offer: Offer, offerer: string): Promise<unknown> =>
  confirm({
    operation: offers.cancel,
    input: { id: offer.id, offerer },
    title: t('Cancel the offer for {offer}?', { offer: formatOfferedToken(offer) }),
    text: t('The owner can no longer accept it. This cannot be undone.'),
    action: t('Cancel the offer'),
    keep: t('Keep the offer'),
    done: t('The offer is cancelled'),
  })
