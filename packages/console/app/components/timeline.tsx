import type { ReactNode } from 'react'
import type { Tone } from './badge.tsx'
import { Time } from './time.tsx'

/** Something that happened. */
export interface TimelineEntry {
  /** Unique in the timeline. */
  readonly key: string
  readonly title: ReactNode
  /** ISO 8601. Undefined if the time is not known. */
  readonly time?: string | undefined
  readonly tone: Tone
  readonly details?: ReactNode
}

interface TimelineProps {
  readonly label: string
  readonly entries: readonly TimelineEntry[]
}

/** Shows what happened to something, in the given order. */
export function Timeline({ label, entries }: TimelineProps): ReactNode {
  return (
    <ol className="timeline" aria-label={label}>
      {entries.map(({ key, title, time, tone, details }) => (
        <li key={key} className={`timeline-entry tone-${tone}`}>
          <div className="timeline-row">
            <span className="medium">{title}</span>
            {time !== undefined && (
              <span className="faint">
                <Time value={time} />
              </span>
            )}
          </div>
          {details !== undefined && <div className="muted">{details}</div>}
        </li>
      ))}
    </ol>
  )
}
