import { type ServerHealth, serverHealth } from '@mintmark/admin'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { DetailList, Section } from '../../components/detail-list.tsx'
import { BlockedSessionsSection } from '../../components/health/blocked-sessions-section.tsx'
import { HealthOverview } from '../../components/health/health-overview.tsx'
import { JobsSection } from '../../components/health/jobs-section.tsx'
import { RecordPage } from '../../components/record-page.tsx'
import { formatCount } from '../../format/number.ts'
import { formatDuration } from '../../format/time.ts'
import { healthTexts } from '../../texts/operator.ts'
import { listHealthProblems } from './health-problems.ts'
import {
  ChainsSection,
  DisabledWebhooksSection,
  SharedPaymentsSection,
  UnreportedSection,
} from './health-tables.tsx'

const { commands } = healthTexts

const formatWait = (seconds: number) => (seconds === 0 ? 'None waits' : formatDuration(seconds * 1000))

/** How the server and what it depends on are, with each problem and its remedy. */
export function HealthPage(): ReactNode {
  return (
    <RecordPage
      query={useOperation(serverHealth.get, {}, { staleTime: 0 })}
      title="Health"
      description="How the server is, and what it depends on."
      canRefresh
    >
      {(health) => <Health health={health} />}
    </RecordPage>
  )
}

function Health({ health }: { readonly health: ServerHealth }): ReactNode {
  const { version, time, databaseMs, oldestUnreportedSeconds, oldestDueDeliverySeconds } = health
  return (
    <>
      <HealthOverview
        problems={listHealthProblems(health)}
        checked="the database, the chains, the jobs and the webhooks"
        time={time}
        server="Server"
        details={{
          Version: version,
          'Database responds in': `${formatCount(databaseMs)} ms`,
          'Oldest change without an event': formatWait(oldestUnreportedSeconds),
          'Oldest due delivery of a webhook': formatWait(oldestDueDeliverySeconds),
        }}
      />
      <ChainsSection rows={health.chains} />
      <JobsSection jobs={health.jobs} now={time} />
      <BlockedSessionsSection rows={health.blockedSessions} operation={serverHealth.endSession} />
      <UnreportedSection changes={health.unreported} />
      <DisabledWebhooksSection rows={health.disabledWebhooks} />
      <SharedPaymentsSection rows={health.sharedPayments} />
      <Section title="Commands">
        <div className="panel stack-small">
          <p className="muted">
            These need the settings of the server, so they run in its shell and not here.
          </p>
          <DetailList
            details={Object.fromEntries(
              Object.entries(commands.purposes).map(([name, text]) => [`mintmark-gateway ${name}`, text]),
            )}
          />
        </div>
      </Section>
    </>
  )
}
