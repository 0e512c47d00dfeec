import type { LedgerTransfer } from '@mintmark/facilitator/operator'
import type { ReactNode } from 'react'
import type { Columns } from '../../components/data-table.tsx'
import { TableSection } from '../../components/table-section.tsx'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { transfersTexts as texts } from '../../texts/facilitator.ts'
import { findName, formatOperator } from './facilitator-format.ts'
import { NativeAmount } from './native-amount.tsx'

const columns: Columns<LedgerTransfer> = {
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
  amount: {
    label: 'Amount',
    align: 'end',
    cell: ({ amount }) => <NativeAmount wei={amount} />,
  },
  debit: { label: 'From', cell: ({ debit }) => <code>{debit}</code> },
  credit: { label: 'To', cell: ({ credit }) => <code>{credit}</code> },
  actor: { label: 'By', cell: ({ actor }) => <span className="break">{formatOperator(actor)}</span> },
  createTime: 'Time',
}

/** The transfers of the ledger that belong to a record. */
export function TransfersSection({
  transfers,
}: {
  readonly transfers: readonly LedgerTransfer[]
}): ReactNode {
  return (
    <TableSection
      title="Ledger"
      columns={columns}
      rows={transfers}
      getKey={({ id }) => id}
      empty={{
        icon: 'info',
        title: 'No transfers',
        advice: 'Credits, deposits and settlements appear here.',
      }}
    />
  )
}
