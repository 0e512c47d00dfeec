import { type OperatorHealth, operatorTransactions } from '@mintmark/facilitator/operator'
import type { ReactNode } from 'react'
import { Identifier } from '../../components/copy-button.tsx'
import type { Columns } from '../../components/data-table.tsx'
import { ResourceSection } from '../../components/resource.tsx'
import { TableSection } from '../../components/table-section.tsx'
import { formatChain } from '../../format/chains.ts'
import { formatDuration } from '../../format/duration.ts'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { facilitatorTexts } from '../../texts/facilitator.ts'
import { toChainId } from './facilitator-format.ts'

type UnknownSettlement = OperatorHealth['unknownSettlements'][number]

const unknownColumns: Columns<UnknownSettlement> = {
  id: {
    label: 'Settlement',
    cell: ({ id }) => (
      <ProjectLink to={`facilitator/settlements/${id}`} className="row-link">
        {facilitatorTexts.settlement(String(id))}
      </ProjectLink>
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
    <TableSection
      title="Settlements without a known outcome"
      columns={unknownColumns}
      rows={settlements}
      getKey={({ id }) => id}
      empty={{
        icon: 'check',
        title: 'None',
        advice: 'The outcome of every settlement is known, or is being awaited.',
      }}
    />
  )
}

/** The transactions that are not mined, with what to do. */
export function StuckSection(): ReactNode {
  return (
    <ResourceSection
      operation={operatorTransactions.listStuck}
      input={{}}
      title="Transactions that are not mined"
      columns={{
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
              <ProjectLink to={`facilitator/settlements/${settlementId}`}>{settlementId}</ProjectLink>
            ),
        },
        ageSeconds: {
          label: 'Age',
          align: 'end',
          cell: ({ ageSeconds }) => formatDuration(ageSeconds * 1000),
        },
        action: 'What to do',
      }}
      getKey={({ signer, nonce, chainId }) => `${chainId} ${signer} ${nonce}`}
      staleTime={0}
      lines={2}
      empty={{ icon: 'check', title: 'None', advice: 'No transaction waits for more than 5 minutes.' }}
    />
  )
}
