import { type EventDelivery, type EventWebhook, eventWebhooks } from '@mintmark/events'
import { type ReactNode, useEffect } from 'react'
import { useList } from '../../api/lists.ts'
import type { Columns } from '../../components/data-table.tsx'
import { Section } from '../../components/detail-list.tsx'
import { FilterSelect, Toolbar } from '../../components/filters.tsx'
import { ListView } from '../../components/list-view.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { formatCount } from '../../format/number.ts'
import { getTimeRange } from '../../navigation/period.ts'
import { readChoice, readPageNumber } from '../../navigation/search-params.ts'
import { useSearchState } from '../../navigation/use-address.ts'
import { useIsCovered } from '../../session/project-context.tsx'
import { webhooksTexts } from '../../texts/webhooks.ts'
import { DeliveryStatus, formatResponse } from './delivery-status.tsx'
import { isAttemptDue } from './webhook-state.ts'

interface DeliveriesSectionProps {
  readonly webhook: EventWebhook
  readonly onOpen: (delivery: EventDelivery) => void
}

const REFRESH_MS = 1000
const { deliveries: texts } = webhooksTexts

/** The deliveries of a webhook, newest first, by status and period. */
export function DeliveriesSection({ webhook, onOpen }: DeliveriesSectionProps): ReactNode {
  const [{ period, page, ...search }, setSearch] = useSearchState('status', 'period', 'page')
  const status = readChoice(search.status, texts.statuses)
  const filters = {
    id: webhook.id,
    ...(status !== undefined && { status }),
    ...getTimeRange(period, Date.now()),
  }
  const query = useList(eventWebhooks.deliveries, filters, { pageNumber: readPageNumber(page) })
  const { data, refetch } = query
  const isDue = data?.list.some((delivery) => isAttemptDue(delivery, Date.now())) ?? false
  const isCovered = useIsCovered()
  useEffect(() => {
    if (!isDue || isCovered) return
    const timer = setInterval(() => void refetch(), REFRESH_MS)
    return () => clearInterval(timer)
  }, [isDue, isCovered, refetch])
  const isFiltered = status !== undefined || period !== undefined
  return (
    <Section title={texts.title}>
      <Toolbar isFiltered={isFiltered} onClear={() => setSearch({ status: undefined, period: undefined })}>
        <FilterSelect
          label="Status"
          value={status ?? ''}
          options={toOptions(texts.statuses)}
          onChange={(value) => setSearch({ status: value })}
        />
        <FilterSelect
          label="Period"
          value={period ?? ''}
          options={toOptions(texts.periods)}
          onChange={(value) => setSearch({ period: value })}
        />
      </Toolbar>
      <ListView
        label={texts.title}
        query={query}
        columns={listColumns(onOpen)}
        getKey={({ id }) => id}
        empty={
          <EmptyState
            icon="webhook"
            title="No deliveries yet"
            advice="Deliveries appear when an event happens. Send a test message to try the receiver now."
            adviceToRead="Deliveries appear when an event happens."
          />
        }
        isFiltered={isFiltered}
        onPage={(number) => setSearch({ page: String(number) })}
      />
    </Section>
  )
}

function toOptions(names: Readonly<Record<string, string>>) {
  return Object.entries(names).map(([value, label]) => ({ value, label }))
}

function listColumns(onOpen: (delivery: EventDelivery) => void): Columns<EventDelivery> {
  const { columns } = texts
  return {
    eventType: {
      label: 'Event',
      cell: (delivery) => (
        <button type="button" className="link-button row-link" onClick={() => onOpen(delivery)}>
          <code>{delivery.eventType}</code>
          {delivery.sequence > 0 && <span className="faint"> {formatCount(delivery.sequence)}</span>}
        </button>
      ),
    },
    status: { label: 'Status', cell: (delivery) => <DeliveryStatus delivery={delivery} /> },
    attempts: 'Attempts',
    responseStatus: {
      label: 'Last response',
      cell: (delivery) => <span className="break">{formatResponse(delivery)}</span>,
    },
    createTime: columns.created,
    nextAttemptTime: { label: 'Next attempt', isWideOnly: true },
  }
}
