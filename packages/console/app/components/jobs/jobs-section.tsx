import type { ReactNode } from 'react'
import { formatDuration } from '../../format/duration.ts'
import { formatCount } from '../../format/number.ts'
import { healthTexts } from '../../texts/operator.ts'
import { Badge, type Tone } from '../badge.tsx'
import { type Column, DataTable } from '../data-table.tsx'
import { Section } from '../detail-list.tsx'
import { EmptyState } from '../placeholders.tsx'
import { Time } from '../time.tsx'
import { getJobState, type JobHealth, type JobState } from './job-state.ts'

const { jobs: jobTexts, server: serverTexts } = healthTexts

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
    <Section title={jobTexts.title}>
      {jobs.length === 0 ? (
        <EmptyState icon="info" {...jobTexts.empty} />
      ) : (
        <DataTable
          label={jobTexts.title}
          columns={listJobColumns(now)}
          rows={jobs}
          getKey={({ name }) => name}
        />
      )}
    </Section>
  )
}

function listJobColumns(now: string): readonly Column<JobHealth>[] {
  const { columns } = jobTexts
  return [
    { key: 'name', header: columns.name, cell: ({ name }) => <strong>{name}</strong> },
    {
      key: 'status',
      header: columns.status,
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
    {
      key: 'every',
      header: columns.every,
      align: 'end',
      cell: ({ everyMs }) =>
        everyMs < 1000 ? serverTexts.milliseconds(formatCount(everyMs)) : formatDuration(everyMs),
    },
    { key: 'success', header: columns.success, cell: ({ succeedTime }) => <Time value={succeedTime} /> },
  ]
}
