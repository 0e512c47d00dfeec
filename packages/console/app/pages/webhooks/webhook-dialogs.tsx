import { type EventWebhook, eventWebhooks } from '@mintmark/events'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { getReadKey, useWrite } from '../../api/operations.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { CopiedText } from '../../components/copy-button.tsx'
import { DetailList } from '../../components/detail-list.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Notice } from '../../components/notice.tsx'
import { showToast } from '../../components/toast.tsx'
import { OperationForm } from '../../form/operation-form.tsx'
import { formatExactTime } from '../../format/time.ts'
import { useProject } from '../../session/project-context.tsx'
import { webhooksTexts } from '../../texts/webhooks.ts'

interface WebhookDialogProps {
  readonly webhook: EventWebhook
  readonly onClose: () => void
}

/** Shows the secret of a new webhook, or a new secret, once. */
export function SecretDialog({ webhook, onClose }: WebhookDialogProps): ReactNode {
  const { secret = '', previousSecretExpireTime } = webhook
  const { title, once, overlap, label, copy, done } = webhooksTexts.secret
  return (
    <Dialog title={title} isOpen onClose={onClose} showsSecret>
      <Notice tone="warning" {...once} />
      <DetailList
        details={[
          {
            label,
            value: <CopiedText text={secret} label={copy} />,
          },
        ]}
      />
      {previousSecretExpireTime !== undefined && <p>{overlap(formatExactTime(previousSecretExpireTime))}</p>}
      <div className="dialog-actions">
        <Button kind="primary" onClick={onClose}>
          {done}
        </Button>
      </div>
    </Dialog>
  )
}

interface RotateDialogProps extends WebhookDialogProps {
  readonly onRotated: (webhook: EventWebhook) => void
}

/** Replaces the secret of a webhook. */
export function RotateDialog({ webhook, onRotated, onClose }: RotateDialogProps): ReactNode {
  const { title, action, hours } = webhooksTexts.rotate
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <OperationForm
        operation={eventWebhooks.rotateSecret}
        fields={{ overlapHours: { kind: 'integer', isRequired: true, ...hours } }}
        fixed={{ id: webhook.id }}
        initial={{ overlapHours: 24 }}
        action={action}
        onDone={onRotated}
        onCancel={onClose}
      />
    </Dialog>
  )
}

/** Removes a webhook and leads back to the list. The history can lead to its page, which is read anew then. */
export function RemoveDialog({ webhook, onClose }: WebhookDialogProps): ReactNode {
  const { projectId } = useProject()
  const navigate = useNavigate()
  const client = useQueryClient()
  const remove = useWrite(eventWebhooks.remove)
  const { title, warning, action, done } = webhooksTexts.remove
  const { id } = webhook
  const leave = async () => {
    await navigate({ to: `/p/${projectId}/webhooks`, replace: true })
    client.removeQueries({ queryKey: getReadKey(projectId, eventWebhooks.get, { id }) })
  }
  const onConfirm = () =>
    remove.mutate(
      { id },
      {
        onSuccess: () => {
          showToast(done)
          void leave()
        },
      },
    )
  return (
    <ConfirmDialog
      title={title(webhook.url)}
      action={action}
      isOpen
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>{warning}</p>
    </ConfirmDialog>
  )
}
