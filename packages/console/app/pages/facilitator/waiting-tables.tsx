import { type OperatorHealth, operatorTransactions } from '@mintmark/facilitator/operator'
import type { ReactNode } from 'react'
import { Identifier } from '../../components/copy-button.tsx'
import { ResourceSection } from '../../components/resource.tsx'
import { defineTable } from '../../components/table-section.tsx'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { facilitatorTexts } from '../../texts/facilitator.ts'

type UnknownSettlement = OperatorHealth['unknownSettlements'][number]

/** The settlements whose outcome is unknown. */
export const UnknownSection = defineTable<UnknownSettlement>({
  title: 'Settlements without a known outcome',
  columns: {
    id: {
      label: 'Settlement',
      cell: ({ id }) => (
        <ProjectLink to={`facilitator/settlements/${id}`} className="row-link">
          {facilitatorTexts.settlement(String(id))}
        </ProjectLink>
      ),
    },
    orderNo: { label: 'Order', cell: ({ orderNo }) => <Identifier value={orderNo} /> },
    network: 'Chain',
    ageSeconds: 'Age',
  },
  getKey: ({ id }) => id,
  empty: {
    icon: 'check',
    title: 'None',
    advice: 'The outcome of every settlement is known, or is being awaited.',
  },
})

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
        ageSeconds: 'Age',
        action: 'What to do',
      }}
      getKey={({ signer, nonce, chainId }) => `${chainId} ${signer} ${nonce}`}
      staleTime={0}
      lines={2}
      empty={{ icon: 'check', title: 'None', advice: 'No transaction waits for more than 5 minutes.' }}
    />
  )
}
