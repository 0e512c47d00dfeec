import {
  type OperatorHealth,
  operatorTransactions,
  type StuckTransaction,
} from '@mintmark/facilitator/operator'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { Identifier } from '../../components/copy-button.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Section } from '../../components/detail-list.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { formatChain } from '../../format/chains.ts'
import { formatDuration } from '../../format/duration.ts'
import { facilitatorHealthTexts, facilitatorTexts } from '../../texts/facilitator.ts'
import { toChainId } from './facilitator-format.ts'
import { FacilitatorLink } from './facilitator-link.tsx'

type UnknownSettlement = OperatorHealth['unknownSettlements'][number]

const { unknown: unknownTexts, stuck: stuckTexts } = facilitatorHealthTexts

const unknownColumns: readonly Column<UnknownSettlement>[] = [
  {
    key: 'settlement',
    header: unknownTexts.columns.settlement,
    cell: ({ id }) => (
      <FacilitatorLink to={`settlements/${id}`} className="row-link">
        {facilitatorTexts.settlement(String(id))}
      </FacilitatorLink>
    ),
  },
  {
    key: 'order',
    header: unknownTexts.columns.order,
    cell: ({ orderNo }) => <Identifier value={orderNo} />,
  },
  {
    key: 'chain',
    header: unknownTexts.columns.chain,
    cell: ({ network }) => formatChain(toChainId(network)),
  },
  {
    key: 'age',
    header: unknownTexts.columns.age,
    align: 'end',
    cell: ({ ageSeconds }) => formatDuration(ageSeconds * 1000),
  },
]

interface UnknownSectionProps {
  readonly settlements: readonly UnknownSettlement[]
}

/** The settlements whose outcome is unknown. */
export function UnknownSection({ settlements }: UnknownSectionProps): ReactNode {
  return (
    <Section title={unknownTexts.title}>
      {settlements.length === 0 ? (
        <EmptyState icon="check" {...unknownTexts.empty} />
      ) : (
        <DataTable
          label={unknownTexts.title}
          columns={unknownColumns}
          rows={settlements}
          getKey={({ id }) => id}
        />
      )}
    </Section>
  )
}

const stuckColumns: readonly Column<StuckTransaction>[] = [
  {
    key: 'nonce',
    header: stuckTexts.columns.nonce,
    cell: ({ nonce, isBehindAnother }) => (
      <>
        <strong>{nonce}</strong>
        {isBehindAnother && <div className="muted">{stuckTexts.behind}</div>}
      </>
    ),
  },
  { key: 'signer', header: stuckTexts.columns.signer, cell: ({ signer }) => <Identifier value={signer} /> },
  {
    key: 'settlement',
    header: stuckTexts.columns.settlement,
    cell: ({ settlementId }) =>
      settlementId !== undefined && (
        <FacilitatorLink to={`settlements/${settlementId}`}>{settlementId}</FacilitatorLink>
      ),
  },
  {
    key: 'age',
    header: stuckTexts.columns.age,
    align: 'end',
    cell: ({ ageSeconds }) => formatDuration(ageSeconds * 1000),
  },
  {
    key: 'action',
    header: stuckTexts.columns.action,
    cell: ({ action }) => <span className="break">{action}</span>,
  },
]

/** The transactions that are not mined, with what to do. */
export function StuckSection(): ReactNode {
  const query = useOperation(operatorTransactions.listStuck, {}, { staleTime: 0 })
  return (
    <Section title={stuckTexts.title}>
      <QueryView query={query} lines={2}>
        {(transactions) =>
          transactions.length === 0 ? (
            <EmptyState icon="check" {...stuckTexts.empty} />
          ) : (
            <DataTable
              label={stuckTexts.title}
              columns={stuckColumns}
              rows={transactions}
              getKey={({ signer, nonce, chainId }) => `${chainId} ${signer} ${nonce}`}
            />
          )
        }
      </QueryView>
    </Section>
  )
}
