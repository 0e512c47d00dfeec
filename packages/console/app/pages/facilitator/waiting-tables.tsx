import {
  type OperatorHealth,
  operatorTransactions,
  type StuckTransaction,
} from '@mintmark/facilitator/operator'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { Identifier } from '../../components/copy-button.tsx'
import { type Columns, DataTable } from '../../components/data-table.tsx'
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

const unknownColumns: Columns<UnknownSettlement> = {
  id: {
    label: 'Settlement',
    cell: ({ id }) => (
      <FacilitatorLink to={`settlements/${id}`} className="row-link">
        {facilitatorTexts.settlement(String(id))}
      </FacilitatorLink>
    ),
  },
  orderNo: { label: 'Order', cell: ({ orderNo }) => <Identifier value={orderNo} /> },
  network: { label: 'Chain', cell: ({ network }) => formatChain(toChainId(network)) },
  ageSeconds: { label: 'Age', align: 'end', cell: ({ ageSeconds }) => formatDuration(ageSeconds * 1000) },
}

interface UnknownSectionProps {
  readonly settlements: readonly UnknownSettlement[]
}

/** The settlements whose outcome is unknown. */
export function UnknownSection({ settlements }: UnknownSectionProps): ReactNode {
  return (
    <Section title={unknownTexts.title}>
      {settlements.length === 0 ? (
        <EmptyState
          icon="check"
          title="None"
          advice="The outcome of every settlement is known, or is being awaited."
        />
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

const stuckColumns: Columns<StuckTransaction> = {
  nonce: {
    label: 'Nonce',
    cell: ({ nonce, isBehindAnother }) => (
      <>
        <strong>{nonce}</strong>
        {isBehindAnother && <div className="muted">waits for a lower nonce</div>}
      </>
    ),
  },
  signer: 'Signer',
  settlementId: {
    label: 'Settlement',
    cell: ({ settlementId }) =>
      settlementId !== undefined && (
        <FacilitatorLink to={`settlements/${settlementId}`}>{settlementId}</FacilitatorLink>
      ),
  },
  ageSeconds: { label: 'Age', align: 'end', cell: ({ ageSeconds }) => formatDuration(ageSeconds * 1000) },
  action: 'What to do',
}

/** The transactions that are not mined, with what to do. */
export function StuckSection(): ReactNode {
  const query = useOperation(operatorTransactions.listStuck, {}, { staleTime: 0 })
  return (
    <Section title={stuckTexts.title}>
      <QueryView query={query} lines={2}>
        {(transactions) =>
          transactions.length === 0 ? (
            <EmptyState icon="check" title="None" advice="No transaction waits for more than 5 minutes." />
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
