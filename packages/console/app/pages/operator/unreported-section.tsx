import { type ServerHealth, serverHealth } from '@mintmark/admin'
import type { ReactNode } from 'react'
import { ActionButtons } from '../../components/actions.tsx'
import type { Columns } from '../../components/data-table.tsx'
import { confirm } from '../../components/dialogs.tsx'
import { TableSection } from '../../components/table-section.tsx'
import { formatQuantity } from '../../format/number.ts'
import { healthTexts } from '../../texts/operator.ts'

type UnreportedChange = ServerHealth['unreported'][number]

const columns: Columns<UnreportedChange> = {
  table: { label: 'Table', cell: ({ table }) => <code>{table}</code> },
  row: { label: 'Row', cell: ({ row }) => <code className="break">{row}</code> },
  projectId: 'Project',
  changeTime: 'Changed',
  problem: 'Problem',
}

const formatChanges = (count: number) => formatQuantity(count, healthTexts.change)

const retryChanges = (count: number) =>
  confirm({
    operation: serverHealth.retryUnreported,
    input: {},
    title: `Retry ${formatChanges(count)}?`,
    text: 'Do it when the cause is removed. The events get numbers after those that are in the feed already.',
    action: 'Retry all',
    done: ({ retried }) => `${formatChanges(retried)} are retried`,
  })

/** The changes that could not be reported as events, with a button that retries them. Nothing without any. */
export function UnreportedSection({ changes }: { readonly changes: readonly UnreportedChange[] }): ReactNode {
  const retry = { label: 'Retry all', onSelect: () => retryChanges(changes.length) }
  return (
    <TableSection
      title="Changes that could not be reported"
      actions={<ActionButtons actions={[retry]} />}
      columns={columns}
      rows={changes}
      getKey={({ change }) => change}
    />
  )
}
