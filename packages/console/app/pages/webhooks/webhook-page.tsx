import { type EventTypePattern, type EventWebhook, eventWebhooks } from '@mintmark/events'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { getReadKey, useOperation, useWrite } from '../../api/operations.ts'
import { Button } from '../../components/button.tsx'
import { DetailList } from '../../components/detail-list.tsx'
import { confirm, openForm } from '../../components/dialogs.tsx'
import { LazyMenu } from '../../components/lazy-menu.tsx'
import { ErrorNotice, Notice } from '../../components/notice.tsx'
import { openDialog } from '../../components/open-dialog.tsx'
import { RecordPage } from '../../components/record-page.tsx'
import { Time } from '../../components/time.tsx'
import { showToast } from '../../components/toast.tsx'
import { formatTime } from '../../format/time.ts'
import { t } from '../../language/translate.ts'
import { usePathParam } from '../../navigation/use-address.ts'
import { useMayChange, useProject } from '../../session/project-context.tsx'
import { webhooksTexts } from '../../texts/webhooks.ts'
import { DeliveriesSection } from './deliveries-section.tsx'
import { openDelivery } from './delivery-dialog.tsx'
import { RangeDialog } from './range-dialog.tsx'
import { editWebhook } from './webhook-form.tsx'
import { showWebhookSecret } from './webhook-secret.ts'
import { getWebhookState } from './webhook-state.ts'
import { formatRate, WebhookStatus } from './webhook-status.tsx'

/** One webhook with its deliveries. */
export function WebhookPage(): ReactNode {
  const mayChange = useMayChange()
  const query = useOperation(eventWebhooks.get, { id: Number(usePathParam('webhookId')) })
  return (
    <RecordPage
      query={query}
      list={{ to: 'webhooks', title: t('Webhooks') }}
      title={({ url }) => url}
      description={query.data?.description}
      status={(webhook) => <WebhookStatus webhook={webhook} />}
      buttons={(webhook) => mayChange && <WebhookActions webhook={webhook} />}
    >
      {(webhook) => (
        <div className="stack">
          <StateNotice webhook={webhook} />
          <WebhookDetails webhook={webhook} />
          <DeliveriesSection webhook={webhook} />
        </div>
      )}
    </RecordPage>
  )
}

interface WebhookProps {
  readonly webhook: EventWebhook
}

/** Replaces the secret of a webhook. */
async function rotateSecret({ id }: EventWebhook): Promise<void> {
  const rotated = await openForm({
    operation: eventWebhooks.rotateSecret,
    fields: {
      overlapHours: {
        kind: 'integer',
        isRequired: true,
        label: t('Hours of overlap'),
        description: t(
          'For so long messages are signed with both secrets, so that you can replace the secret of your receiver without losing any: 0 to 168.',
        ),
      },
    },
    fixed: { id },
    initial: { overlapHours: 24 },
    isDismissable: true,
    title: t('Replace the secret?'),
    action: t('Create a new secret'),
  })
  if (rotated !== undefined) await showWebhookSecret(rotated)
}

function WebhookActions({ webhook }: WebhookProps): ReactNode {
  const { id, url } = webhook
  const test = useWrite(eventWebhooks.sendTest)
  const { projectId } = useProject()
  const navigate = useNavigate()
  const client = useQueryClient()
  const isDisabled = getWebhookState(webhook) === 'disabled'
  const sendTest = () => test.mutate({ id }, { onSuccess: (delivery) => openDelivery(webhook, delivery) })
  /** Leads back to the list. The history can lead to the page, which is read anew then. */
  const remove = async () => {
    const removed = await confirm({
      operation: eventWebhooks.remove,
      input: { id },
      title: t('Remove the webhook for {url}?', { url }),
      text: t('Pending deliveries are not sent, and the list of deliveries is gone. This cannot be undone.'),
      action: t('Remove'),
      done: t('The webhook is removed'),
    })
    if (removed === undefined) return
    await navigate({ to: `/p/${projectId}/webhooks`, replace: true })
    client.removeQueries({ queryKey: getReadKey(projectId, eventWebhooks.get, { id }) })
  }
  const openRange = () => openDialog((close) => <RangeDialog webhook={webhook} onClose={() => close()} />)
  const range = { key: 'range', label: t('Send a range again'), icon: 'event', onSelect: openRange } as const
  return (
    <>
      <Button onClick={() => void editWebhook(webhook)}>{t('Edit')}</Button>
      <Button kind="primary" disabled={isDisabled} isPending={test.isPending} onClick={sendTest}>
        {t('Send a test')}
      </Button>
      <LazyMenu
        label={t('More actions')}
        entries={[
          {
            key: 'rotate',
            label: t('Replace the secret'),
            icon: 'key',
            onSelect: () => void rotateSecret(webhook),
          },
          ...(isDisabled ? [] : [range]),
          {
            key: 'remove',
            label: t('Remove'),
            icon: 'close',
            isDangerous: true,
            onSelect: () => void remove(),
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
    return (
      <Notice
        tone="warning"
        title={t('Deliveries have failed since {time}', { time: formatTime(failingSince ?? Date.now()) })}
        advice={t(
          'The gateway tries each delivery again, up to five days. Look at the attempts below, correct the receiver, and send a test message.',
        )}
      />
    )
  }
  // Writing a webhook enables it.
  const enable = () =>
    configure.mutate(
      { id, url, events: events as EventTypePattern[], description, maxPerSecond },
      { onSuccess: () => showToast(t('The webhook is enabled')) },
    )
  return (
    <>
      <Notice
        tone="danger"
        title={t('The gateway has disabled this webhook')}
        advice={t(
          'All deliveries had failed for five days. Correct the receiver, enable the webhook, then send the missed events again.',
        )}
        action={
          mayChange && (
            <Button onClick={enable} isPending={configure.isPending}>
              {t('Enable')}
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
  return (
    <div className="panel">
      <DetailList
        details={{
          [t('Events')]: names,
          [t('Rate')]: formatRate(webhook),
          [t('Created')]: <Time value={createTime} />,
          [t('Changed')]: <Time value={updateTime} />,
          ...(previousSecretExpireTime !== undefined && {
            [t('The previous secret signs until')]: formatTime(previousSecretExpireTime),
          }),
        }}
      />
    </div>
  )
}
