import { type StuckMint, stuckMints } from '@mintmark/admin'
import { type ReactNode, useState } from 'react'
import { useOperation } from '../../api/operations.ts'
import { Button } from '../../components/button.tsx'
import { Identifier } from '../../components/copy-button.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { EmptyState, Skeleton } from '../../components/placeholders.tsx'
import { Time } from '../../components/time.tsx'
import { formatCount } from '../../format/number.ts'
import { healthTexts, stuckMintsTexts as texts } from '../../texts/operator.ts'
import { MintDialog } from './mint-dialog.tsx'

/** The mint signatures of all projects that need an operator. */
export function StuckMintsPage(): ReactNode {
  const { data, error, refetch, isFetching } = useOperation(stuckMints.list, {}, { staleTime: 0 })
  const [open, setOpen] = useState<StuckMint>()
  return (
    <>
      <PageHeader
        title={texts.title}
        context={texts.context}
        description={texts.description}
        actions={
          <Button onClick={() => void refetch()} isPending={isFetching}>
            {healthTexts.refresh}
          </Button>
        }
      />
      <ErrorNotice error={error} onRetry={() => void refetch()} isRetrying={isFetching} />
      {data === undefined ? (
        error === null && <Skeleton lines={6} />
      ) : data.length === 0 ? (
        <EmptyState icon="check" {...texts.empty} />
      ) : (
        <DataTable
          label={texts.title}
          columns={listColumns(setOpen)}
          rows={data}
          getKey={({ projectId, reservation }) => `${projectId} ${reservation}`}
        />
      )}
      {open !== undefined && <MintDialog mint={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}

function listColumns(onOpen: (mint: StuckMint) => void): readonly Column<StuckMint>[] {
  const { columns } = texts
  return [
    {
      key: 'signature',
      header: columns.signature,
      cell: (mint) => (
        <button type="button" className="link-button row-link" onClick={() => onOpen(mint)}>
          {texts.signatureOf(String(mint.projectId), String(mint.reservation))}
        </button>
      ),
    },
    {
      key: 'recipient',
      header: columns.recipient,
      cell: ({ recipient }) => <Identifier value={recipient} />,
    },
    {
      key: 'quantity',
      header: columns.quantity,
      align: 'end',
      cell: ({ quantity }) => formatCount(quantity),
    },
    { key: 'ended', header: columns.ended, cell: ({ validUntil }) => <Time value={validUntil} /> },
    {
      key: 'attempts',
      header: columns.attempts,
      align: 'end',
      cell: ({ attempts }) => formatCount(attempts),
    },
  ]
}
