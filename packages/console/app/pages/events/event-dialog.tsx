import { events, type GatewayEvent } from '@mintmark/events'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { DetailList } from '../../components/detail-list.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { JsonView } from '../../components/json-view.tsx'
import { Notice } from '../../components/notice.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { describeEventType } from '../../form/event-type-options.ts'
import { formatCount } from '../../format/number.ts'
import { formatExactTime } from '../../format/time.ts'
import { t } from '../../language/translate.ts'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { SubjectLink } from './subject-link.tsx'

interface EventDialogProps {
  /** The place of the event in the feed. */
  readonly sequence: number
  readonly onClose: () => void
}

/** Shows one event of the feed with its record. */
export function EventDialog({ sequence, onClose }: EventDialogProps): ReactNode {
  const isPlace = Number.isSafeInteger(sequence) && sequence > 0
  const input = { after: sequence - 1, limit: 1 }
  const query = useOperation(events.list, input, { enabled: isPlace })
  const event = query.data?.events.find((each) => each.sequence === sequence)
  const missing = (
    <Notice
      tone="info"
      title={t('There is no such event')}
      advice={t('It may have been deleted because of its age.')}
    />
  )
  return (
    <Dialog title={t('Event {type}', { type: event?.type ?? '' }).trim()} size="wide" onClose={onClose}>
      {isPlace ? (
        <QueryView query={query}>
          {() => (event === undefined ? missing : <EventDetails event={event} />)}
        </QueryView>
      ) : (
        missing
      )}
    </Dialog>
  )
}

function EventDetails({ event }: { readonly event: GatewayEvent }): ReactNode {
  const { type, subject, time, sequence, id } = event
  const description = describeEventType(type)
  return (
    <>
      {description !== undefined && <p>{description}</p>}
      <DetailList
        details={{
          [t('Subject')]: <SubjectLink event={event} />,
          [t('When')]: formatExactTime(time),
          [t('Number in the feed')]: formatCount(sequence),
          [t('Id')]: <code>{id}</code>,
        }}
      />
      <p>
        <ProjectLink to="events" search={{ q: subject }}>
          {t('All events of this subject')}
        </ProjectLink>
      </p>
      <JsonView label={t('The event as JSON')} value={event} />
    </>
  )
}
