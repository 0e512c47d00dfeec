import type { LedgerTransfer } from '@mintmark/facilitator/operator'
import { defineTable } from '../../components/table-section.tsx'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { transfersTexts as texts } from '../../texts/facilitator.ts'
import { findName, formatOperator } from './facilitator-format.ts'
import { NativeAmount } from './payment-amount.tsx'

/** The transfers of the ledger that belong to a record. */
export const TransfersSection = defineTable<LedgerTransfer>({
  title: 'Ledger',
  columns: {
    kind: {
      label: 'Transfer',
      cell: ({ kind, settlementId, reason }) => (
        <>
          {settlementId === undefined ? (
            <strong>{findName(texts.kinds, kind)}</strong>
          ) : (
            <ProjectLink to={`facilitator/settlements/${settlementId}`} className="row-link">
              {findName(texts.kinds, kind)}
            </ProjectLink>
          )}
          {reason !== '' && <div className="muted break">{reason}</div>}
        </>
      ),
    },
    amount: { label: 'Amount', align: 'end', cell: ({ amount }) => <NativeAmount wei={amount} /> },
    debit: { label: 'From', cell: ({ debit }) => <code>{debit}</code> },
    credit: { label: 'To', cell: ({ credit }) => <code>{credit}</code> },
    actor: { label: 'By', cell: ({ actor }) => <span className="break">{formatOperator(actor)}</span> },
    createTime: 'Time',
  },
  empty: { icon: 'info', title: 'No transfers', advice: 'Credits, deposits and settlements appear here.' },
})
