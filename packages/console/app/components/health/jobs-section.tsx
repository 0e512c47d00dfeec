import type { ReactNode } from 'react'
import { formatCount } from '../../format/number.ts'
import { formatDuration } from '../../format/time.ts'
import { StatusBadge, type Statuses } from '../badge.tsx'
import { alignEnd, type Columns } from '../data-table.tsx'
import { TableSection } from '../table-section.tsx'
import { getJobState, type JobHealth, type JobState } from './health-problems.ts'

const states: Statuses<JobState> = {
  works: ['Works', 'success'],
  fails: ['Fails', 'danger'],
  late: ['Late', 'danger'],
  starting: ['Starting', 'info'],
}

interface JobsSectionProps {
  readonly jobs: readonly JobHealth[]
  /** The server's time, ISO 8601. */
  readonly now: string
}

/** The jobs of the process that responded. */
export function JobsSection({ jobs, now }: JobsSectionProps): ReactNode {
  return (
    <TableSection
      title="Jobs of this process"
      columns={listJobColumns(now)}
      rows={jobs}
      getKey={({ name }) => name}
      empty={{
        icon: 'info',
        title: 'No jobs',
        advice: 'This process runs no jobs. Another process of the server does.',
      }}
    />
  )
}

function listJobColumns(now: string): Columns<JobHealth> {
  return {
    name: { label: 'Job', cell: ({ name }) => <strong>{name}</strong> },
    problem: {
      label: 'Status',
      cell: (job) => <StatusBadge status={getJobState(job, now)} statuses={states} note={job.problem} />,
    },
    everyMs: alignEnd('Every', ({ everyMs }) =>
      everyMs < 1000 ? `${formatCount(everyMs)} ms` : formatDuration(everyMs),
    ),
    succeedTime: 'Last success',
  }
}
