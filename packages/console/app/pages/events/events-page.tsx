import type { GatewayEvent } from '@mintmark/events'
import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { type Columns, DataTable } from '../../components/data-table.tsx'
import { FilterSelect, SearchField, Toolbar } from '../../components/filters.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { EmptyState, Skeleton } from '../../components/placeholders.tsx'
import { Time } from '../../components/time.tsx'
import { describeEventType, listTypeOptions } from '../../form/event-type-options.ts'
import { formatCount } from '../../format/number.ts'
import { t } from '../../language/translate.ts'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { useSearchState } from '../../navigation/use-address.ts'
import { EventDialog } from './event-dialog.tsx'
import { SubjectLink } from './subject-link.tsx'
import { findRecordName } from './subject-links.ts'
import { useEventFeed } from './use-event-feed.ts'

/** The feed of the project's events. */
export function EventsPage(): ReactNode {
  const [{ q = '', type = '', event }, setSearch] = useSearchState('q', 'type', 'event')
  const isFiltered = q !== '' || type !== ''
  return (
    <>
      <PageHeader
        title={t('Events')}
        description={t(
          'Everything that happened in the project, newest first. Webhooks send the same events to your programs.',
        )}
      />
      <Toolbar isFiltered={isFiltered} onClear={() => setSearch({ q: undefined, type: undefined })}>
        <SearchField
          label={t('Search by subject, order number or address')}
          value={q}
          onSearch={(text) => setSearch({ q: text })}
        />
        <FilterSelect
          label={t('Type')}
          value={type}
          options={listTypeOptions(type)}
          onChange={(value) => setSearch({ type: value })}
        />
      </Toolbar>
      <EventFeed types={type} text={q} />
      {event !== undefined && (
        <EventDialog sequence={Number(event)} onClose={() => setSearch({ event: undefined })} />
      )}
    </>
  )
}

function EventFeed({ types, text }: { readonly types: string; readonly text: string }): ReactNode {
  const feed = useEventFeed({ types, text })
  const { events, error, isReading, older } = feed
  const notice = <ErrorNotice error={error} onRetry={feed.retry} isRetrying={isReading} />
  if (events === undefined) return error === null ? <Skeleton /> : notice
  const filters = { ...(text !== '' && { q: text }), ...(types !== '' && { type: types }) }
  const readOlder = older !== undefined && (
    <Button onClick={feed.readOlder} isPending={isReading}>
      {events.length === 0 ? t('Search older events') : t('Show older events')}
    </Button>
  )
  if (events.length === 0) {
    return (
      <>
        {notice}
        <NoEvents isFiltered={text !== '' || types !== ''} older={older} action={readOlder} />
      </>
    )
  }
  return (
    <div className="stack">
      {notice}
      <DataTable
        label={t('Events')}
        columns={listColumns(filters)}
        rows={events}
        getKey={({ sequence }) => sequence}
      />
      <div className="section-header pagination">
        <p className="muted" role="status">
          {t('{count, plural, one {# event} other {# events}} shown.', { count: events.length })}
          {older === undefined && ` ${t('This is the oldest stored event that matches.')}`}
        </p>
        {readOlder}
      </div>
    </div>
  )
}

interface NoEventsProps {
  readonly isFiltered: boolean
  readonly older: number | undefined
  readonly action: ReactNode
}

function NoEvents({ isFiltered, older, action }: NoEventsProps): ReactNode {
  if (!isFiltered && older === undefined)
    return (
      <EmptyState
        icon="event"
        title={t('No events yet')}
        advice={t(
          'Events appear as soon as something happens in the project, such as a new card or an order.',
        )}
      />
    )
  const sentence =
    older === undefined
      ? t('The whole feed was searched. Events are stored for a limited time, so older ones may be gone.')
      : t('Searched all events down to number {older}.', { older: formatCount(older + 1) })
  return <EmptyState icon="search" title={t('No such event found')} advice={sentence} action={action} />
}

/** The columns of the feed. The first one opens the event and keeps the filters. */
function listColumns(filters: Readonly<Record<string, string>>): Columns<GatewayEvent> {
  return {
    type: {
      label: t('What happened'),
      cell: ({ type, sequence }) => (
        <>
          <ProjectLink to="events" search={{ ...filters, event: String(sequence) }} className="row-link">
            {describeEventType(type) ?? type}
          </ProjectLink>
          <div className="faint">
            <code>{type}</code>
          </div>
        </>
      ),
    },
    data: {
      label: t('Subject'),
      cell: (event) => (
        <>
          <SubjectLink event={event} />
          <div className="muted break">{findRecordName(event.data)}</div>
        </>
      ),
    },
    time: { label: t('When'), cell: ({ time }) => <Time value={time} /> },
    sequence: { label: t('Number'), isWideOnly: true },
  }
}
