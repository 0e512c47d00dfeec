import type { ReactNode } from 'react'
import { DetailSection, type Details } from '../detail-list.tsx'
import { Notice } from '../notice.tsx'
import { Time } from '../time.tsx'
import type { HealthProblem } from './health-problems.ts'

interface HealthOverviewProps {
  readonly problems: readonly HealthProblem[]
  /** The parts in which no problem was found. */
  readonly checked: string
  /** The server's time, ISO 8601. */
  readonly time: string
  /** What the server is called. */
  readonly server: string
  readonly details: Details
}

/** The problems of a server, and how it is. */
export function HealthOverview(props: HealthOverviewProps): ReactNode {
  const { problems, checked, time, server, details } = props
  return (
    <>
      <div className="section" role="status">
        {problems.length === 0 && (
          <Notice tone="success" title="Everything works" advice={`No problem was found in ${checked}.`} />
        )}
        {problems.map(({ key, tone, title, remedy }) => (
          <Notice key={key} tone={tone} title={title} advice={remedy} />
        ))}
        <p className="faint">
          As of <Time value={time} />
        </p>
      </div>
      <DetailSection title={server} details={details} />
    </>
  )
}
