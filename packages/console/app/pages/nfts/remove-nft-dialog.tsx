import { type Nft, nfts } from '@mintmark/contracts'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useWrite } from '../../api/operations.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { showToast } from '../../components/toast.tsx'
import { useProject } from '../../session/project-context.tsx'
import { nftsTexts } from '../../texts/contracts.ts'

interface RemoveNftDialogProps {
  readonly nft: Nft
  readonly onClose: () => void
}

/** Removes a token from the project. */
export function RemoveNftDialog({ nft, onClose }: RemoveNftDialogProps): ReactNode {
  const { name, nftAddress, nftId } = nft
  const { projectId } = useProject()
  const navigate = useNavigate()
  const remove = useWrite(nfts.remove)
  const onConfirm = () =>
    remove.mutate(
      { nftAddress, nftId },
      {
        onSuccess: () => {
          showToast(`${name} is removed`)
          void navigate({ to: `/p/${projectId}/nfts` })
        },
      },
    )
  return (
    <ConfirmDialog
      title={`Remove ${name}?`}
      action={nftsTexts.remove}
      isOpen
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>
        The NFT disappears from the project, not from the chain. It can only be removed while its first owner
        has it and nothing of it is listed.
      </p>
    </ConfirmDialog>
  )
}
