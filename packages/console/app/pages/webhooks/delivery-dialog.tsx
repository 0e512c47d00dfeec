import { type EventDelivery, type EventWebhook, eventWebhooks } from '@mintmark/events'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { getReadKey, useWrite } from '../../api/operations.ts'
import { StatusBadge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { DetailList } from '../../components/detail-list.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { openDialog } from '../../components/open-dialog.tsx'
import { Time } from '../../components/time.tsx'
import { Timeline } from '../../components/timeline.tsx'
import { showToast } from '../../components/toast.tsx'
import { formatCount } from '../../format/number.ts'
import { t } from '../../language/translate.ts'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { useIsCovered, useMayChange, useProjectGateway } from '../../session/project-context.tsx'
import { componentTexts } from '../../texts/shell.ts'
import { webhooksTexts } from '../../texts/webhooks.ts'
import { findDelivery } from './find-delivery.ts'
import { getWebhookState, isAttemptDue, useWebhook } from './webhook-state.ts'
import { deliveryStatuses, formatResponse } from './webhook-status.tsx'

interface DeliveryDialogProps {
  /** The webhook as it was when the dialog opened. */
  readonly webhook: EventWebhook
  /** The delivery as it was when the dialog opened. */
  readonly delivery: EventDelivery
  readonly onClose: () => void
}

const REFRESH_MS = 1000
const { deliveries: texts } = webhooksTexts

/** Opens a delivery of a webhook. */
export function openDelivery(webhook: EventWebhook, delivery: EventDelivery): void {
  void openDialog((close) => <DeliveryDialog webhook={webhook} delivery={delivery} onClose={() => close()} />)
}

/** Shows a delivery with its attempts, and each new attempt as soon as it is made. */
function DeliveryDialog({ delivery: opened, onClose, ...props }: DeliveryDialogProps): ReactNode {
  const webhook = useWebhook(props.webhook)
  const { delivery, error } = useDelivery(opened)
  const mayChange = useMayChange()
  const redeliver = useWrite(eventWebhooks.redeliver)
  const sendAgain = () =>
    redeliver.mutate(
      { id: webhook.id, deliveryId: delivery.id },
      { onSuccess: () => showToast(t('The delivery is sent again')) },
    )
  // A receiver that works again need not wait for the next attempt.
  const isSendable =
    mayChange && getWebhookState(webhook) !== 'disabled' && !isAttemptDue(delivery, Date.now())
  return (
    <Dialog
      title={t('Delivery of {eventType}', { eventType: delivery.eventType })}
      size="wide"
      onClose={onClose}
    >
      <div role="status">
        <StatusBadge status={delivery.status} statuses={deliveryStatuses} />
      </div>
      <DetailList
        details={{
          [t('Event||webhook')]: <EventReference delivery={delivery} />,
          [t('Created')]: <Time value={delivery.createTime} />,
          [t('Next attempt')]: <Time value={delivery.nextAttemptTime} />,
        }}
      />
      <Attempts delivery={delivery} />
      <ErrorNotice error={error} />
      <ErrorNotice error={redeliver.error} />
      <div className="dialog-actions">
        {isSendable && (
          <Button onClick={sendAgain} isPending={redeliver.isPending}>
            {t('Send again')}
          </Button>
        )}
        <Button kind="primary" onClick={onClose}>
          {componentTexts.close}
        </Button>
      </div>
    </Dialog>
  )
}

/** Reads a delivery again while an attempt is due. */
function useDelivery(opened: EventDelivery): {
  readonly delivery: EventDelivery
  readonly error: Error | null
} {
  const { gateway, projectId } = useProjectGateway()
  const isCovered = useIsCovered()
  const key = { id: opened.webhookId, deliveryId: opened.id }
  const { data: delivery = opened, error } = useQuery({
    queryKey: getReadKey(projectId, eventWebhooks.deliveries, key),
    queryFn: ({ signal }) =>
      findDelivery((input) => eventWebhooks.deliveries.items(gateway, input, { signal }), opened),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      !isCovered && isAttemptDue(state.data ?? opened, Date.now()) ? REFRESH_MS : false,
  })
  return { delivery, error }
}

function EventReference({ delivery: { sequence } }: { readonly delivery: EventDelivery }): ReactNode {
  if (sequence === 0) return t('A test message, which is not in the feed')
  return (
    <ProjectLink to="events" search={{ event: String(sequence) }}>
      {t('Number {sequence}', { sequence: formatCount(sequence) })}
    </ProjectLink>
  )
}

function Attempts({ delivery: { log } }: { readonly delivery: EventDelivery }): ReactNode {
  return (
    <section className="stack-small">
      <h3>{texts.dialog.attempts}</h3>
      {log.length === 0 ? (
        <p className="muted">{t('No attempt yet. This page shows it as soon as it is made.')}</p>
      ) : (
        <Timeline
          label={texts.dialog.attempts}
          entries={log.toReversed().map((attempt, index) => ({
            key: `${attempt.time} ${index}`,
            title: t('{attempt} after {durationMs} ms', {
              attempt: formatResponse(attempt),
              durationMs: formatCount(attempt.durationMs),
            }),
            time: attempt.time,
            tone: attempt.error === '' ? 'success' : 'danger',
          }))}
        />
      )}
    </section>
  )
}
