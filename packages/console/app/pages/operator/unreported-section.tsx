import { type ServerHealth, serverHealth } from '@mintmark/admin'
import { type ReactNode, useState } from 'react'
import { useWrite } from '../../api/operations.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { type Columns, DataTable } from '../../components/data-table.tsx'
import { Section } from '../../components/detail-list.tsx'
import { showToast } from '../../components/toast.tsx'
import { formatQuantity } from '../../format/number.ts'
import { healthTexts } from '../../texts/operator.ts'

type UnreportedChange = ServerHealth['unreported'][number]

const { changes: texts } = healthTexts

const columns: Columns<UnreportedChange> = {
  table: { label: 'Table', cell: ({ table }) => <code>{table}</code> },
  row: { label: 'Row', cell: ({ row }) => <code className="break">{row}</code> },
  projectId: { label: 'Project', cell: ({ projectId }) => projectId },
  changeTime: 'Changed',
  problem: 'Problem',
}

interface UnreportedSectionProps {
  readonly changes: readonly UnreportedChange[]
}

/** The changes that could not be reported as events, with a button that retries them. Nothing without any. */
export function UnreportedSection({ changes }: UnreportedSectionProps): ReactNode {
  const [isAsking, setIsAsking] = useState(false)
  const retry = useWrite(serverHealth.retryUnreported)
  if (changes.length === 0) return null
  const formatChanges = (count: number) => formatQuantity(count, healthTexts.change)
  const onConfirm = () =>
    retry.mutate(
      {},
      {
        onSuccess: ({ retried }) => {
          showToast(`${formatChanges(retried)} are retried`)
          setIsAsking(false)
        },
      },
    )
  return (
    <Section title={texts.title} actions={<Button onClick={() => setIsAsking(true)}>{texts.retry}</Button>}>
      <DataTable label={texts.title} columns={columns} rows={changes} getKey={({ change }) => change} />
      <ConfirmDialog
        title={`Retry ${formatChanges(changes.length)}?`}
        action={texts.retry}
        isOpen={isAsking}
        isPending={retry.isPending}
        error={retry.error}
        onConfirm={onConfirm}
        onClose={() => setIsAsking(false)}
      >
        <p>
          Do it when the cause is removed. The events get numbers after those that are in the feed already.
        </p>
      </ConfirmDialog>
    </Section>
  )
}
