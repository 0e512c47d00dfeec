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
          showToast(`${nftName} is off the shelf`)
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      title={`Take ${nftName} off the shelf?`}
      action={marketTexts.close}
      isOpen
      isPending={write.isPending}
      error={write.error}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>{`${formatQuantity(remaining, marketTexts.units)} that nobody has ordered are no longer for sale. Open orders can still be paid. A closed listing cannot be opened again: put the token on the shelf anew.`}</p>
    </ConfirmDialog>
  )
}
