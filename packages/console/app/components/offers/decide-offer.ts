import { type Offer, offers } from '@mintmark/market'
import { shortenIdentifier } from '../../format/identifier.ts'
import { offersTexts } from '../../texts/market.ts'
import { confirm, openForm } from '../dialogs.tsx'
import { formatTokenAmount } from '../token-amount.tsx'

/** Names what an offer is for. */
export function formatOfferedToken({ nftId, nftName }: Pick<Offer, 'nftId' | 'nftName'>): string {
  return nftId === '' ? offersTexts.anyToken(nftName) : nftName
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
      ...(offer.nftId === '' && { nftId: { kind: 'code', isRequired, ...offersTexts.tokenToSell } as const }),
      owner: { kind: 'address', isRequired, ...offersTexts.owner },
    },
    fixed: { id },
    initial: { owner: wallet },
    title: offersTexts.acceptTitle(formatOfferedToken(offer)),
    text: offersTexts.acceptWarning(amount, shortenIdentifier(wallet)),
    action: offersTexts.acceptAction,
    done: ({ orderNo }) => offersTexts.accepted(orderNo),
  })
}

/** Rejects an offer as the owner of the token. */
export const rejectOffer = (offer: Offer, owner: string): Promise<unknown> =>
  confirm({
    operation: offers.reject,
    input: { id: offer.id, owner },
    title: offersTexts.rejectTitle(formatOfferedToken(offer)),
    text: offersTexts.rejectWarning,
    action: offersTexts.reject,
    done: offersTexts.rejected,
  })

/** Cancels an offer as the wallet that made it. */
export const cancelOffer = (offer: Offer, offerer: string): Promise<unknown> =>
  confirm({
    operation: offers.cancel,
    input: { id: offer.id, offerer },
    title: offersTexts.cancelTitle(formatOfferedToken(offer)),
    text: offersTexts.cancelWarning,
    action: offersTexts.cancelAction,
    keep: offersTexts.keep,
    done: offersTexts.cancelled,
  })
