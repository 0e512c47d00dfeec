import { operatorSettlements, type SettlementDetails } from '@mintmark/facilitator/operator'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { Identifier } from '../../components/copy-button.tsx'
import { DetailSection, Section } from '../../components/detail-list.tsx'
import { Notice } from '../../components/notice.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { RecordPage } from '../../components/record-page.tsx'
import { Time } from '../../components/time.tsx'
import { Timeline } from '../../components/timeline.tsx'
import { findExplorerLink, formatChain } from '../../format/chains.ts'
import { formatQuantity } from '../../format/number.ts'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { usePathParam } from '../../navigation/use-address.ts'
import { facilitatorTexts, settlementTexts as texts } from '../../texts/facilitator.ts'
import { DecisionsSection } from './decisions-section.tsx'
import { findName, formatOperator, toChainId } from './facilitator-format.ts'
import { ObservationNotice } from './observation-notice.tsx'
import { NativeAmount, PaymentAmount } from './payment-amount.tsx'
import { resolveSettlement } from './resolve-settlement.tsx'
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
      <SettlementFields details={details} />
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

/** The fields of a settlement: its payment, its price, and where both are. */
function SettlementFields({ details }: { readonly details: SettlementDetails }): ReactNode {
  const { settlement, refunded, block, charge } = details
  const { network, asset, payer, payTo, transaction, createTime, endTime } = settlement
  const chainId = toChainId(network)
  const address = (value: string) => (
    <Identifier value={value} link={findExplorerLink(chainId, 'address', value)} />
  )
  return (
    <DetailSection
      title="Settlement"
      details={{
        Order: <Identifier value={settlement.orderNo} />,
        Account: <AccountLink id={settlement.accountId} />,
        Amount: <PaymentAmount settlement={settlement} />,
        Refunded: refunded === '0' ? '' : <PaymentAmount settlement={{ ...settlement, amount: refunded }} />,
        Payer: address(payer),
        'Paid to': address(payTo),
        Token: address(asset),
        Chain: formatChain(chainId),
        Scheme: findName(texts.schemes, settlement.scheme),
        Method: findName(texts.methods, settlement.method),
        'Executed by': findName(texts.upstreams, settlement.upstream),
        Transaction: <Identifier value={transaction} link={findExplorerLink(chainId, 'tx', transaction)} />,
        Block: formatBlock(block),
        Reason: formatReason(settlement),
        Price: <NativeAmount wei={settlement.price} />,
        'The price is': formatHold(settlement.hold, charge),
        'Looked for its outcome': formatQuantity(settlement.checkCount, texts.times),
        Requested: <Time value={createTime} />,
        Ended: <Time value={endTime} />,
      }}
    />
  )
}

function AccountLink({ id }: { readonly id: number }): ReactNode {
  return <ProjectLink to={`facilitator/accounts/${id}`}>{facilitatorTexts.account(String(id))}</ProjectLink>
}

function formatBlock(block: SettlementDetails['block']): string {
  if (block === undefined) return ''
  return `${block.number}, ${block.finalTime === undefined ? texts.notFinal : texts.final}`
}

function formatReason({ reason, message }: SettlementDetails['settlement']): ReactNode {
  if (reason === '' && message === '') return ''
  return (
    <>
      <code>{reason}</code> {message !== '' && <span className="break">{message}</span>}
    </>
  )
}

function formatHold(hold: string, charge: SettlementDetails['charge']): string {
  if (charge === undefined || hold !== 'captured') return findName(texts.holds, hold)
  return `charged because of ${findName(texts.causes, charge.cause)}`
}
