import type { Listing } from '@mintmark/market'
import type { ReactNode } from 'react'
import { useWrite } from '../../../api/operations.ts'
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { showToast } from '../../../components/toast.tsx'
import { formatQuantity } from '../../../format/number.ts'
import { marketTexts } from '../../../texts/market.ts'
import { getListingKind, listingKinds } from './listing-kinds.ts'

interface CloseListingDialogProps {
  readonly listing: Listing
  readonly onClose: () => void
}

/** Takes a listing off the shelf. */
export function CloseListingDialog({ listing, onClose }: CloseListingDialogProps): ReactNode {
  const { id, nftName, remaining } = listing
  const write = useWrite(listingKinds[getListingKind(listing)].close)
  const onConfirm = () =>
    write.mutate(
      { id },
      {
        onSuccess: () => {
          showToast(marketTexts.closed(nftName))
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      title={marketTexts.closeTitle(nftName)}
      action={marketTexts.close}
      isOpen
      isPending={write.isPending}
      error={write.error}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>{marketTexts.closeWarning(formatQuantity(remaining, marketTexts.units))}</p>
    </ConfirmDialog>
  )
}
