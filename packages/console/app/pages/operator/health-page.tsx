import { type ServerHealth, serverHealth } from '@mintmark/admin'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { Button } from '../../components/button.tsx'
import { DetailList, Section } from '../../components/detail-list.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { JobsSection } from '../../components/jobs/jobs-section.tsx'
import { Notice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Skeleton } from '../../components/placeholders.tsx'
import { BlockedSessionsSection } from '../../components/sessions/blocked-sessions-section.tsx'
import { Time } from '../../components/time.tsx'
import { formatDuration } from '../../format/duration.ts'
import { formatCount } from '../../format/number.ts'
import { healthTexts } from '../../texts/operator.ts'
import { listHealthProblems } from './health-problems.ts'
import { ChainsSection } from './health-tables.tsx'
import { UnreportedSection } from './unreported-section.tsx'
import { DisabledWebhooksSection, SharedPaymentsSection } from './waiting-tables.tsx'

/** How the server and what it depends on are, with each problem and its remedy. */
export function HealthPage(): ReactNode {
  const { data, error, refetch, isFetching } = useOperation(serverHealth.get, {}, { staleTime: 0 })
  const refresh = () => void refetch()
  return (
    <>
      <PageHeader
        title="Health"
        context="Operator"
        description="How the server is, and what it depends on."
        actions={
          <Button onClick={refresh} isPending={isFetching}>
            Refresh
          </Button>
        }
      />
      <ErrorNotice error={error} onRetry={refresh} isRetrying={isFetching} />
      {data === undefined ? error === null && <Skeleton lines={8} /> : <Health health={data} />}
    </>
  )
}

function Health({ health }: { readonly health: ServerHealth }): ReactNode {
  return (
    <>
      <Problems health={health} />
      <ServerSection health={health} />
      <ChainsSection chains={health.chains} />
      <JobsSection jobs={health.jobs} now={health.time} />
      <BlockedSessionsSection rows={health.blockedSessions} operation={serverHealth.endSession} />
      <UnreportedSection changes={health.unreported} />
      <DisabledWebhooksSection rows={health.disabledWebhooks} />
      <SharedPaymentsSection rows={health.sharedPayments} />
      <CommandsSection />
    </>
  )
}

/** The work on a server that only its commands do, and when it is needed. */
function CommandsSection(): ReactNode {
  const { commands } = healthTexts
  return (
    <Section title="Commands">
      <div className="panel stack-small">
        <p className="muted">These need the settings of the server, so they run in its shell and not here.</p>
        <DetailList
          details={Object.entries(commands.purposes).map(([name, purpose]) => ({
            label: `mintmark-gateway ${name}`,
            value: purpose,
          }))}
        />
      </div>
    </Section>
  )
}

function Problems({ health }: { readonly health: ServerHealth }): ReactNode {
  const problems = listHealthProblems(health)
  return (
    <div className="section" role="status">
      {problems.length === 0 && (
        <Notice
          tone="success"
          title="Everything works"
          advice="No problem was found in the database, the chains, the jobs and the webhooks."
        />
      )}
      {problems.map(({ key, tone, title, remedy }) => (
        <Notice key={key} tone={tone} title={title} advice={remedy} />
      ))}
      <p className="faint">
        As of <Time value={health.time} />
      </p>
    </div>
  )
}

function ServerSection({ health }: { readonly health: ServerHealth }): ReactNode {
  const { version, databaseMs, oldestUnreportedSeconds, oldestDueDeliverySeconds } = health
  const { server } = healthTexts
  const formatWait = (seconds: number) => (seconds === 0 ? 'None waits' : formatDuration(seconds * 1000))
  return (
    <Section title="Server">
      <div className="panel">
        <DetailList
          details={[
            { label: 'Version', value: version },
            { label: 'Database responds in', value: server.milliseconds(formatCount(databaseMs)) },
            { label: 'Oldest change without an event', value: formatWait(oldestUnreportedSeconds) },
            { label: 'Oldest due delivery of a webhook', value: formatWait(oldestDueDeliverySeconds) },
          ]}
        />
      </div>
    </Section>
  )
}
