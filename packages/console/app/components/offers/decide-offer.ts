import { type Offer, offers } from '@mintmark/market'
import { shortenIdentifier } from '../../format/identifier.ts'
import { confirm, openForm } from '../dialogs.tsx'
import { formatTokenAmount } from '../token-amount.tsx'

/** Names what an offer is for. */
export function formatOfferedToken({ nftId, nftName }: Pick<Offer, 'nftId' | 'nftName'>): string {
  return nftId === '' ? `Any token of ${nftName}` : nftName
}

/**
 * Accepts an offer as the owner of the token.
 *
 * @param wallet The owner.
 */
export function acceptOffer(offer: Offer, wallet: string): Promise<unknown> {
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
          label: 'Token id',
          description: 'The offer is for any token of the collection. Enter the one to sell.',
        } as const,
      }),
      owner: { kind: 'address', isRequired, label: 'Seller', description: 'The wallet that owns the token.' },
    },
    fixed: { id },
    isDismissable: true,
    initial: { owner: wallet },
    title: `Accept the offer for ${formatOfferedToken(offer)}?`,
    text: `${shortenIdentifier(wallet)} sells for ${amount}. The token is reserved, and the buyer gets an order to pay. This cannot be taken back.`,
    action: 'Accept the offer',
    done: ({ orderNo }) => `The offer is accepted: order ${orderNo}`,
  })
}

/** Rejects an offer as the owner of the token. */
export const rejectOffer = (offer: Offer, owner: string): Promise<unknown> =>
  confirm({
    operation: offers.reject,
    input: { id: offer.id, owner },
    title: `Reject the offer for ${formatOfferedToken(offer)}?`,
    text: 'The buyer has to make a new offer. This cannot be undone.',
    action: 'Reject',
    done: 'The offer is rejected',
  })

/** Cancels an offer as the wallet that made it. */
export const cancelOffer = (offer: Offer, offerer: string): Promise<unknown> =>
  confirm({
    operation: offers.cancel,
    input: { id: offer.id, offerer },
    title: `Cancel the offer for ${formatOfferedToken(offer)}?`,
    text: 'The owner can no longer accept it. This cannot be undone.',
    action: 'Cancel the offer',
    keep: 'Keep the offer',
    done: 'The offer is cancelled',
  })
