import { events, type GatewayEvent } from '@mintmark/events'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { DetailList } from '../../components/detail-list.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { JsonView } from '../../components/json-view.tsx'
import { Notice } from '../../components/notice.tsx'
import { Skeleton } from '../../components/placeholders.tsx'
import { describeEventType } from '../../form/event-type-options.ts'
import { formatCount } from '../../format/number.ts'
import { formatExactTime } from '../../format/time.ts'
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
  const { data, error, refetch, isFetching } = useOperation(events.list, input, { enabled: isPlace })
  const event = data?.events.find((each) => each.sequence === sequence)
  const isMissing = !isPlace || (data !== undefined && event === undefined)
  return (
    <Dialog title={`Event ${event?.type ?? ''}`.trim()} size="wide" isOpen onClose={onClose}>
      {isMissing && (
        <Notice
          tone="info"
          title="There is no such event"
          advice="It may have been deleted because of its age."
        />
      )}
      <ErrorNotice error={error} onRetry={() => void refetch()} isRetrying={isFetching} />
      {event === undefined ? (
        !isMissing && error === null && <Skeleton lines={6} />
      ) : (
        <EventDetails event={event} />
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
        details={[
          { label: 'Subject', value: <SubjectLink event={event} /> },
          { label: 'When', value: formatExactTime(time) },
          { label: 'Number in the feed', value: formatCount(sequence) },
          { label: 'Id', value: <code>{id}</code> },
        ]}
      />
      <p>
        <ProjectLink to="events" search={{ q: subject }}>
          All events of this subject
        </ProjectLink>
      </p>
      <JsonView label="The event as JSON" value={event} />
    </>
  )
}
