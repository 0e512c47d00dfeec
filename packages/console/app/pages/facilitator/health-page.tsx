import { type OperatorHealth, operatorHealth } from '@mintmark/facilitator/operator'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import type { Details } from '../../components/detail-list.tsx'
import { BlockedSessionsSection } from '../../components/health/blocked-sessions-section.tsx'
import { HealthOverview } from '../../components/health/health-overview.tsx'
import { JobsSection } from '../../components/health/jobs-section.tsx'
import { RecordPage } from '../../components/record-page.tsx'
import { Time } from '../../components/time.tsx'
import { formatCount } from '../../format/number.ts'
import { formatDuration } from '../../format/time.ts'
import { listFacilitatorProblems } from './health-problems.ts'
import { ChainsSection, SignersSection } from './health-tables.tsx'
import { SolanaSections } from './solana-tables.tsx'
import { StuckSection, SuspendedSection, UnknownSection } from './waiting-tables.tsx'

/** How the facilitator and what it depends on are, with each problem and its remedy. */
export function FacilitatorHealthPage(): ReactNode {
  const query = useOperation(operatorHealth.get, {}, { staleTime: 0 })
  return (
    <RecordPage
      query={query}
      title="Facilitator health"
      description="How the facilitator is, and what it depends on."
      canRefresh
    >
      {(health) => (
        <>
          <HealthOverview
            problems={listFacilitatorProblems(health)}
            checked="the database, the chains, the signers, the jobs and the settlements"
            time={health.time}
            server="Facilitator"
            details={listServerDetails(health)}
          />
          <NetworkSections health={health} />
          <SuspendedSection rows={health.suspendedDeposits ?? []} onCreated={() => void query.refetch()} />
          <UnknownSection rows={health.unknownSettlements} />
          <StuckSection />
          <JobsSection jobs={health.jobs} now={health.time} />
          <BlockedSessionsSection rows={health.blockedSessions} operation={operatorHealth.endSession} />
        </>
      )}
    </RecordPage>
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
          <ChainsSection rows={chains} />
          <SignersSection signers={signers} />
        </>
      )}
      <SolanaSections networks={solana} />
    </>
  )
}

function listServerDetails(health: OperatorHealth): Details {
  const { version, databaseMs, dueDeliveries, oldestDueDeliverySeconds, auditTime } = health
  const due =
    dueDeliveries === 0
      ? '0'
      : `${formatCount(dueDeliveries)}, the oldest for ${formatDuration(oldestDueDeliverySeconds * 1000)}`
  return {
    Version: version,
    'Database responds in': `${formatCount(databaseMs)} ms`,
    'Due deliveries of webhooks': due,
    'Last audit': <Time value={auditTime} />,
  }
}
