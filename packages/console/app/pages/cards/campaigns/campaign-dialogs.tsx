import { type Campaign, campaigns } from '@mintmark/cards'
import type { ReactNode } from 'react'
import { useWrite } from '../../../api/operations.ts'
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { showToast } from '../../../components/toast.tsx'
import { OperationForm } from '../../../form/operation-form.tsx'
import { formatCount } from '../../../format/number.ts'
import { campaignsTexts as texts } from '../../../texts/campaigns.ts'

interface CampaignDialogProps {
  readonly campaign: Campaign
  readonly onClose: () => void
}

/** Issues further cards. */
export function IssueDialog({ campaign, onClose }: CampaignDialogProps): ReactNode {
  const { id, cards, requested } = campaign
  return (
    <Dialog title={texts.issue} isOpen onClose={onClose} isDismissable={false}>
      <OperationForm
        operation={campaigns.issue}
        fields={{ count: { kind: 'integer', isRequired: true, ...texts.fields.count } }}
        fixed={{ id }}
        initial={{ count: cards - requested }}
        action={texts.issue}
        onDone={(changed) => {
          showToast(texts.issued(formatCount(changed.requested - requested)))
          onClose()
        }}
        onCancel={onClose}
      />
    </Dialog>
  )
}

/** How a campaign is changed as a whole. */
export type ChangeKind = keyof typeof texts.changes

/** Pauses, resumes or ends a campaign. */
export function ChangeDialog(props: CampaignDialogProps & { readonly kind: ChangeKind }): ReactNode {
  const { campaign, kind, onClose } = props
  const { action, title, effect } = texts.changes[kind]
  const change = useWrite(campaigns[kind])
  return (
    <ConfirmDialog
      title={title(campaign.name)}
      action={action}
      isOpen
      isPending={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate({ id: campaign.id }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>{effect}</p>
    </ConfirmDialog>
  )
}
