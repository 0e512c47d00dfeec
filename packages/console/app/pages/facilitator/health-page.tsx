import { type OperatorHealth, operatorHealth } from '@mintmark/facilitator/operator'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { Button } from '../../components/button.tsx'
import { DetailList, Section } from '../../components/detail-list.tsx'
import { JobsSection } from '../../components/jobs/jobs-section.tsx'
import { Notice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { BlockedSessionsSection } from '../../components/sessions/blocked-sessions-section.tsx'
import { Time } from '../../components/time.tsx'
import { formatDuration } from '../../format/duration.ts'
import { formatCount } from '../../format/number.ts'
import { facilitatorTexts, facilitatorHealthTexts as texts } from '../../texts/facilitator.ts'
import { listFacilitatorProblems } from './health-problems.ts'
import { ChainsSection, SignersSection } from './health-tables.tsx'
import { SolanaSections } from './solana-tables.tsx'
import { SuspendedSection } from './suspended-section.tsx'
import { StuckSection, UnknownSection } from './waiting-tables.tsx'

/** How the facilitator and what it depends on are, with each problem and its remedy. */
export function FacilitatorHealthPage(): ReactNode {
  const query = useOperation(operatorHealth.get, {}, { staleTime: 0 })
  return (
    <>
      <PageHeader
        title="Facilitator health"
        context={texts.context}
        description="How the facilitator is, and what it depends on."
        actions={
          <Button onClick={() => void query.refetch()} isPending={query.isFetching}>
            {facilitatorTexts.refresh}
          </Button>
        }
      />
      <QueryView query={query} lines={8}>
        {(health) => (
          <>
            <Problems health={health} />
            <ServerSection health={health} />
            <NetworkSections health={health} />
            <SuspendedSection rows={health.suspendedDeposits ?? []} onCreated={() => void query.refetch()} />
            <UnknownSection settlements={health.unknownSettlements} />
            <StuckSection />
            <JobsSection jobs={health.jobs} now={health.time} />
            <BlockedSessionsSection rows={health.blockedSessions} operation={operatorHealth.endSession} />
          </>
        )}
      </QueryView>
    </>
  )
}

/**
 * What the facilitator reads and settles by. A facilitator for Solana only has no other chains and signers.
 */
function NetworkSections({ health }: { readonly health: OperatorHealth }): ReactNode {
  const { chains, signers, solana = [] } = health
  return (
    <>
      {(chains.length > 0 || solana.length === 0) && (
        <>
          <ChainsSection chains={chains} />
          <SignersSection signers={signers} />
        </>
      )}
      <SolanaSections networks={solana} />
    </>
  )
}

function Problems({ health }: { readonly health: OperatorHealth }): ReactNode {
  const problems = listFacilitatorProblems(health)
  return (
    <div className="section" role="status">
      {problems.length === 0 && (
        <Notice
          tone="success"
          title="Everything works"
          advice="No problem was found in the database, the chains, the signers, the jobs and the settlements."
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

function ServerSection({ health }: { readonly health: OperatorHealth }): ReactNode {
  const { version, databaseMs, dueDeliveries, oldestDueDeliverySeconds, auditTime } = health
  const { server } = texts
  const due =
    dueDeliveries === 0
      ? '0'
      : `${formatCount(dueDeliveries)}, the oldest for ${formatDuration(oldestDueDeliverySeconds * 1000)}`
  return (
    <Section title="Facilitator">
      <div className="panel">
        <DetailList
          details={[
            { label: 'Version', value: version },
            { label: 'Database responds in', value: server.milliseconds(formatCount(databaseMs)) },
            { label: 'Due deliveries of webhooks', value: due },
            { label: 'Last audit', value: <Time value={auditTime} /> },
          ]}
        />
      </div>
    </Section>
  )
}
