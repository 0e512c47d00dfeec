import { operatorSettlements, type SettlementDetails } from '@mintmark/facilitator/operator'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { Section } from '../../components/detail-list.tsx'
import { Notice } from '../../components/notice.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { RecordPage } from '../../components/record-page.tsx'
import { Timeline } from '../../components/timeline.tsx'
import { usePathParam } from '../../navigation/use-address.ts'
import { facilitatorTexts, settlementTexts as texts } from '../../texts/facilitator.ts'
import { DecisionsSection } from './decisions-section.tsx'
import { formatOperator } from './facilitator-format.ts'
import { ObservationNotice } from './observation-notice.tsx'
import { resolveSettlement } from './resolve-settlement.tsx'
import { SettlementFields } from './settlement-fields.tsx'
import { formatSettlementStatus, SettlementStatus } from './settlement-status.tsx'
import { SignedTransactions } from './signed-transactions.tsx'
import { TransfersSection } from './transfers-section.tsx'

/** One settlement: its payment, what its chain shows now, its history, and the decision of an unknown one. */
export function SettlementPage(): ReactNode {
  const settlementId = usePathParam('settlementId')
  return (
    <RecordPage
      query={useOperation(operatorSettlements.get, { id: Number(settlementId) }, { staleTime: 0 })}
      list={{ to: 'facilitator/settlements', title: 'Settlements' }}
      title={facilitatorTexts.settlement(settlementId)}
      status={({ settlement }) => <SettlementStatus settlement={settlement} />}
      canRefresh
      actions={(details) => [
        details.settlement.status === 'unknown' && {
          label: texts.resolve.action,
          kind: 'primary',
          onSelect: () => resolveSettlement(details),
        },
      ]}
      lines={10}
    >
      {(details) => <SettlementContent details={details} />}
    </RecordPage>
  )
}

function SettlementContent({ details }: { readonly details: SettlementDetails }): ReactNode {
  const { settlement, observation, transfers, transactions, solanaTransaction } = details
  return (
    <>
      {settlement.status === 'unknown' && (
        <div className="section">
          <Notice
            tone="warning"
            title="The outcome of this settlement is unknown"
            advice="Its price stays reserved. The facilitator looks for the outcome by itself while the chain can be read."
          />
        </div>
      )}
      <Section title="What the chain shows now">
        <ObservationNotice observation={observation} network={settlement.network} />
      </Section>
      <Section title="Settlement">
        <div className="panel">
          <SettlementFields details={details} />
        </div>
      </Section>
      <SignedTransactions transactions={transactions} solanaTransaction={solanaTransaction} />
      <TransfersSection rows={transfers} />
      <History details={details} />
      <DecisionsSection subject={`settlement/${settlement.id}`} />
    </>
  )
}

/** The events of a settlement, and what operators decided about it, by a command too. */
function History({ details: { events, resolutions } }: { readonly details: SettlementDetails }): ReactNode {
  const reported = events.map(({ sequence, type, createTime }) => ({
    key: `event ${sequence}`,
    title: type,
    time: createTime,
    tone: 'info' as const,
  }))
  const resolved = resolutions.map(({ outcome, actor, reason, createTime }) => ({
    key: `resolution ${createTime}`,
    title: `${formatSettlementStatus(outcome)} by ${formatOperator(actor)}`,
    time: createTime,
    tone: 'warning' as const,
    details: reason,
  }))
  const entries = [...reported, ...resolved].toSorted((one, other) => one.time.localeCompare(other.time))
  return (
    <Section title={texts.events}>
      {entries.length === 0 ? (
        <EmptyState icon="event" title="No events" advice="Nothing was reported about this settlement." />
      ) : (
        <Timeline label={texts.events} entries={entries} />
      )}
    </Section>
  )
}
