import type { ReactNode } from 'react'
import { formatDuration } from '../../format/duration.ts'
import { formatCount } from '../../format/number.ts'
import { healthTexts } from '../../texts/operator.ts'
import { Badge, type Tone } from '../badge.tsx'
import type { Columns } from '../data-table.tsx'
import { TableSection } from '../table-section.tsx'
import { getJobState, type JobHealth, type JobState } from './job-state.ts'

const { jobs: jobTexts } = healthTexts

const jobTones: Readonly<Record<JobState, Tone>> = {
  works: 'success',
  fails: 'danger',
  late: 'danger',
  starting: 'info',
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
      title={jobTexts.title}
      columns={listJobColumns(now)}
      rows={jobs}
      getKey={({ name }) => name}
      empty={{ icon: 'info', ...jobTexts.empty }}
    />
  )
}

function listJobColumns(now: string): Columns<JobHealth> {
  const { columns } = jobTexts
  return {
    name: { label: columns.name, cell: ({ name }) => <strong>{name}</strong> },
    problem: {
      label: columns.status,
      cell: (job) => {
        const state = getJobState(job, now)
        return (
          <>
            <Badge tone={jobTones[state]}>{jobTexts[state]}</Badge>
            {job.problem !== '' && <div className="muted break">{job.problem}</div>}
          </>
        )
      },
    },
    everyMs: {
      label: columns.every,
      align: 'end',
      cell: ({ everyMs }) => (everyMs < 1000 ? `${formatCount(everyMs)} ms` : formatDuration(everyMs)),
    },
    succeedTime: columns.success,
  }
}
