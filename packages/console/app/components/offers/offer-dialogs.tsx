import { type Offer, offers } from '@mintmark/market'
import type { ReactNode } from 'react'
import { useWrite } from '../../api/operations.ts'
import { OperationForm } from '../../form/operation-form.tsx'
import { shortenIdentifier } from '../../format/identifier.ts'
import { offersTexts } from '../../texts/market.ts'
import { ConfirmDialog } from '../confirm-dialog.tsx'
import { Dialog } from '../dialog.tsx'
import { showToast } from '../toast.tsx'
import { formatTokenAmount } from '../token-amount.tsx'

/** Names what an offer is for. */
export function formatOfferedToken({ nftId, nftName }: Pick<Offer, 'nftId' | 'nftName'>): string {
  return nftId === '' ? offersTexts.anyToken(nftName) : nftName
}

interface OfferDialogProps {
  readonly offer: Offer
  /** The owner of the token, or the wallet that made the offer. */
  readonly wallet: string
  readonly onClose: () => void
}

/** Accepts an offer as the owner of the token. */
export function AcceptOfferDialog({ offer, wallet, onClose }: OfferDialogProps): ReactNode {
  const { id, chainId, payTokenAddress, payTokenDecimals: decimals, totalPrice: baseUnits } = offer
  const amount = formatTokenAmount({ chainId, payTokenAddress, decimals, baseUnits })
  const isRequired = true
  return (
    <Dialog title={offersTexts.acceptTitle(formatOfferedToken(offer))} isOpen onClose={onClose}>
      <p className="break">{offersTexts.acceptWarning(amount, shortenIdentifier(wallet))}</p>
      <OperationForm
        operation={offers.accept}
        fields={{
          ...(offer.nftId === '' && { nftId: { kind: 'code', isRequired, ...offersTexts.tokenToSell } }),
          owner: { kind: 'address', isRequired, ...offersTexts.owner },
        }}
        fixed={{ id }}
        initial={{ owner: wallet }}
        action={offersTexts.acceptAction}
        onDone={({ orderNo }) => {
          showToast(offersTexts.accepted(orderNo))
          onClose()
        }}
        onCancel={onClose}
      />
    </Dialog>
  )
}

/** Rejects an offer as the owner of the token. */
export function RejectOfferDialog({ offer, wallet, onClose }: OfferDialogProps): ReactNode {
  const reject = useWrite(offers.reject)
  const onSuccess = () => {
    showToast(offersTexts.rejected)
    onClose()
  }
  return (
    <ConfirmDialog
      title={offersTexts.rejectTitle(formatOfferedToken(offer))}
      action={offersTexts.reject}
      isOpen
      isPending={reject.isPending}
      error={reject.error}
      onConfirm={() => reject.mutate({ id: offer.id, owner: wallet }, { onSuccess })}
      onClose={onClose}
    >
      <p>{offersTexts.rejectWarning}</p>
    </ConfirmDialog>
  )
}

/** Cancels an offer as the wallet that made it. */
export function CancelOfferDialog({ offer, wallet, onClose }: OfferDialogProps): ReactNode {
  const cancel = useWrite(offers.cancel)
  const onSuccess = () => {
    showToast(offersTexts.cancelled)
    onClose()
  }
  return (
    <ConfirmDialog
      title={offersTexts.cancelTitle(formatOfferedToken(offer))}
      action={offersTexts.cancelAction}
      keep={offersTexts.keep}
      isOpen
      isPending={cancel.isPending}
      error={cancel.error}
      onConfirm={() => cancel.mutate({ id: offer.id, offerer: wallet }, { onSuccess })}
      onClose={onClose}
    >
      <p>{offersTexts.cancelWarning}</p>
    </ConfirmDialog>
  )
}
