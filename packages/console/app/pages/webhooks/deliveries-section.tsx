import { type EventWebhook, eventWebhooks } from '@mintmark/events'
import type { ReactNode } from 'react'
import { createStatusColumn, createStatusFilter } from '../../components/badge.tsx'
import { ResourceSection } from '../../components/resource.tsx'
import { formatCount } from '../../format/number.ts'
import { t } from '../../language/translate.ts'
import { getTimeRange } from '../../navigation/period.ts'
import { webhooksTexts } from '../../texts/webhooks.ts'
import { openDelivery } from './delivery-dialog.tsx'
import { isAttemptDue } from './webhook-state.ts'
import { deliveryStatuses, formatResponse } from './webhook-status.tsx'

const REFRESH_MS = 1000
const { deliveries: texts } = webhooksTexts

/** The deliveries of a webhook, newest first, by status and period. */
export function DeliveriesSection({ webhook }: { readonly webhook: EventWebhook }): ReactNode {
  return (
    <ResourceSection
      operation={eventWebhooks.deliveries}
      input={{ id: webhook.id }}
      title={t('Deliveries')}
      filters={{
        status: createStatusFilter(deliveryStatuses),
        period: {
          label: t('Period'),
          options: texts.periods,
          toInput: (period) => getTimeRange(period, Date.now()),
        },
      }}
      columns={{
        eventType: {
          label: t('Event||webhook'),
          cell: ({ eventType, sequence }) => (
            <>
              <code>{eventType}</code>
              {sequence > 0 && <span className="faint"> {formatCount(sequence)}</span>}
            </>
          ),
        },
        status: createStatusColumn(deliveryStatuses),
        attempts: t('Attempts'),
        _response: {
          label: t('Last response'),
          cell: (delivery) => <span className="break">{formatResponse(delivery)}</span>,
        },
        createTime: t('Created'),
        nextAttemptTime: { label: t('Next attempt'), isWideOnly: true },
      }}
      onOpen={(delivery) => openDelivery(webhook, delivery)}
      refreshMs={({ list }) =>
        list.some((delivery) => isAttemptDue(delivery, Date.now())) ? REFRESH_MS : undefined
      }
      empty={{
        icon: 'webhook',
        title: t('No deliveries yet'),
        advice: t('Deliveries appear when an event happens. Send a test message to try the receiver now.'),
        adviceToRead: t('Deliveries appear when an event happens.'),
      }}
    />
  )
}
