import { type EventDelivery, type EventTypePattern, type EventWebhook, eventWebhooks } from '@mintmark/events'
import { type ReactNode, useState } from 'react'
import { useOperation, useWrite } from '../../api/operations.ts'
import { Button } from '../../components/button.tsx'
import { DetailList } from '../../components/detail-list.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Icon } from '../../components/icon.tsx'
import { LazyMenu } from '../../components/lazy-menu.tsx'
import { Notice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Skeleton } from '../../components/placeholders.tsx'
import { Time } from '../../components/time.tsx'
import { showToast } from '../../components/toast.tsx'
import { formatTime } from '../../format/time.ts'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { usePathParam } from '../../navigation/use-address.ts'
import { useMayChange, useProject } from '../../session/project-context.tsx'
import { webhooksTexts } from '../../texts/webhooks.ts'
import { DeliveriesSection } from './deliveries-section.tsx'
import { DeliveryDialog } from './delivery-dialog.tsx'
import { RangeDialog } from './range-dialog.tsx'
import { RemoveDialog, RotateDialog, SecretDialog } from './webhook-dialogs.tsx'
import { WebhookFormDialog } from './webhook-form.tsx'
import { getWebhookState } from './webhook-state.ts'
import { formatRate, WebhookStatus } from './webhook-status.tsx'

/** An open dialog of the page. */
type OpenDialog =
  | { readonly kind: 'edit' | 'rotate' | 'range' | 'remove' }
  | { readonly kind: 'secret'; readonly webhook: EventWebhook }
  | { readonly kind: 'delivery'; readonly delivery: EventDelivery }

/** One webhook with its deliveries. */
export function WebhookPage(): ReactNode {
  const id = Number(usePathParam('webhookId'))
  const { data, error, refetch, isFetching } = useOperation(eventWebhooks.get, { id })
  if (data !== undefined) return <Webhook webhook={data} />
  return (
    <>
      <PageHeader title={webhooksTexts.title} above={<BackLink />} />
      {error === null ? (
        <Skeleton lines={8} />
      ) : (
        <ErrorNotice error={error} onRetry={() => void refetch()} isRetrying={isFetching} />
      )}
    </>
  )
}

function BackLink(): ReactNode {
  return (
    <ProjectLink to="webhooks" className="back-link">
      <Icon name="chevronLeft" /> Webhooks
    </ProjectLink>
  )
}

interface WebhookProps {
  readonly webhook: EventWebhook
}

function Webhook({ webhook }: WebhookProps): ReactNode {
  const { projectName } = useProject()
  const mayChange = useMayChange()
  const [dialog, setDialog] = useState<OpenDialog>()
  const openDelivery = (delivery: EventDelivery) => setDialog({ kind: 'delivery', delivery })
  return (
    <>
      <PageHeader
        title={webhook.url}
        context={projectName}
        description={webhook.description}
        above={<BackLink />}
        status={<WebhookStatus webhook={webhook} />}
        actions={mayChange && <Actions webhook={webhook} onOpen={setDialog} />}
      />
      <div className="stack">
        <StateNotice webhook={webhook} />
        <WebhookDetails webhook={webhook} />
        <DeliveriesSection webhook={webhook} onOpen={openDelivery} />
      </div>
      <WebhookDialog
        webhook={webhook}
        dialog={dialog}
        onOpen={setDialog}
        onClose={() => setDialog(undefined)}
      />
    </>
  )
}

interface ActionsProps extends WebhookProps {
  readonly onOpen: (dialog: OpenDialog) => void
}

function Actions({ webhook, onOpen }: ActionsProps): ReactNode {
  const test = useWrite(eventWebhooks.sendTest)
  const isDisabled = getWebhookState(webhook) === 'disabled'
  const sendTest = () =>
    test.mutate({ id: webhook.id }, { onSuccess: (delivery) => onOpen({ kind: 'delivery', delivery }) })
  return (
    <>
      <Button onClick={() => onOpen({ kind: 'edit' })}>Edit</Button>
      <Button kind="primary" disabled={isDisabled} isPending={test.isPending} onClick={sendTest}>
        Send a test
      </Button>
      <LazyMenu
        label="More actions"
        entries={[
          {
            key: 'rotate',
            label: 'Replace the secret',
            icon: 'key',
            onSelect: () => onOpen({ kind: 'rotate' }),
          },
          ...(isDisabled
            ? []
            : [
                {
                  key: 'range',
                  label: 'Send a range again',
                  icon: 'event',
                  onSelect: () => onOpen({ kind: 'range' }),
                } as const,
              ]),
          {
            key: 'remove',
            label: 'Remove',
            icon: 'close',
            isDangerous: true,
            onSelect: () => onOpen({ kind: 'remove' }),
          },
        ]}
      />
      <ErrorNotice error={test.error} onRetry={sendTest} />
    </>
  )
}

/** Explains a webhook that does not work, and what to do. */
function StateNotice({ webhook }: WebhookProps): ReactNode {
  const { id, url, events, description, maxPerSecond, failingSince } = webhook
  const mayChange = useMayChange()
  const configure = useWrite(eventWebhooks.configure)
  const state = getWebhookState(webhook)
  if (state === 'working') return null
  if (state === 'failing') {
    const since = failingSince === undefined ? '' : ` ${formatTime(failingSince)}`
    return (
      <Notice
        tone="warning"
        title={`Deliveries have failed since${since}`}
        advice="The gateway tries each delivery again, up to five days. Look at the attempts below, correct the receiver, and send a test message."
      />
    )
  }
  // Writing a webhook enables it.
  const enable = () =>
    configure.mutate(
      { id, url, events: events as EventTypePattern[], description, maxPerSecond },
      { onSuccess: () => showToast('The webhook is enabled') },
    )
  return (
    <>
      <Notice
        tone="danger"
        title="The gateway has disabled this webhook"
        advice="All deliveries had failed for five days. Correct the receiver, enable the webhook, then send the missed events again."
        action={
          mayChange && (
            <Button onClick={enable} isPending={configure.isPending}>
              Enable
            </Button>
          )
        }
      />
      <ErrorNotice error={configure.error} />
    </>
  )
}

function WebhookDetails({ webhook }: WebhookProps): ReactNode {
  const { events, createTime, updateTime, previousSecretExpireTime } = webhook
  const names = events.length === 0 ? webhooksTexts.allEvents : events.join(', ')
  const overlap =
    previousSecretExpireTime === undefined
      ? []
      : [{ label: 'The previous secret signs until', value: formatTime(previousSecretExpireTime) }]
  return (
    <div className="panel">
      <DetailList
        details={[
          { label: 'Events', value: names },
          { label: 'Rate', value: formatRate(webhook) },
          { label: 'Created', value: <Time value={createTime} /> },
          { label: 'Changed', value: <Time value={updateTime} /> },
          ...overlap,
        ]}
      />
    </div>
  )
}

interface WebhookDialogProps extends WebhookProps {
  readonly dialog: OpenDialog | undefined
  readonly onOpen: (dialog: OpenDialog) => void
  readonly onClose: () => void
}

function WebhookDialog({ webhook, dialog, onOpen, onClose }: WebhookDialogProps): ReactNode {
  const onSaved = () => {
    showToast(
      getWebhookState(webhook) === 'disabled'
        ? 'The webhook is changed and enabled'
        : 'The webhook is changed',
    )
    onClose()
  }
  switch (dialog?.kind) {
    case 'edit':
      return <WebhookFormDialog webhook={webhook} onDone={onSaved} onClose={onClose} />
    case 'rotate': {
      const onRotated = (rotated: EventWebhook) => onOpen({ kind: 'secret', webhook: rotated })
      return <RotateDialog webhook={webhook} onRotated={onRotated} onClose={onClose} />
    }
    case 'secret':
      return <SecretDialog webhook={dialog.webhook} onClose={onClose} />
    case 'range':
      return <RangeDialog webhook={webhook} onClose={onClose} />
    case 'remove':
      return <RemoveDialog webhook={webhook} onClose={onClose} />
    case 'delivery':
      return <DeliveryDialog webhook={webhook} delivery={dialog.delivery} onClose={onClose} />
    default:
      return null
  }
}
