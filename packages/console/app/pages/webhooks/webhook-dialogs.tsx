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

interface WebhookDialogProps {
  readonly webhook: EventWebhook
  readonly onClose: () => void
}

/** Shows the secret of a new webhook, or a new secret, once. */
export function SecretDialog({ webhook, onClose }: WebhookDialogProps): ReactNode {
  const { secret = '', previousSecretExpireTime } = webhook
  return (
    <Dialog title="The signing secret" isOpen onClose={onClose} showsSecret>
      <Notice
        tone="warning"
        title="Copy the secret now"
        advice="It is shown only once. Your receiver verifies with it that messages come from this gateway."
      />
      <DetailList
        details={[
          {
            label: 'Secret',
            value: <CopiedText text={secret} label="Copy the secret" />,
          },
        ]}
      />
      {previousSecretExpireTime !== undefined && (
        <p>{`Messages are signed with the previous secret too until ${formatExactTime(previousSecretExpireTime)}.`}</p>
      )}
      <div className="dialog-actions">
        <Button kind="primary" onClick={onClose}>
          Done
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
  return (
    <Dialog title="Replace the secret?" isOpen onClose={onClose}>
      <OperationForm
        operation={eventWebhooks.rotateSecret}
        fields={{
          overlapHours: {
            kind: 'integer',
            isRequired: true,
            label: 'Hours of overlap',
            description:
              'For so long messages are signed with both secrets, so that you can replace the secret of your receiver without losing any: 0 to 168.',
          },
        }}
        fixed={{ id: webhook.id }}
        initial={{ overlapHours: 24 }}
        action="Create a new secret"
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
          showToast('The webhook is removed')
          void leave()
        },
      },
    )
  return (
    <ConfirmDialog
      title={`Remove the webhook for ${webhook.url}?`}
      action="Remove"
      isOpen
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>Pending deliveries are not sent, and the list of deliveries is gone. This cannot be undone.</p>
    </ConfirmDialog>
  )
}
