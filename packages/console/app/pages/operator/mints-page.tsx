import { type StuckMint, stuckMints } from '@mintmark/admin'
import { type ReactNode, useState } from 'react'
import { useOperation } from '../../api/operations.ts'
import { Button } from '../../components/button.tsx'
import { Identifier } from '../../components/copy-button.tsx'
import type { Column } from '../../components/data-table.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { QueryTable } from '../../components/query-table.tsx'
import { Time } from '../../components/time.tsx'
import { formatCount } from '../../format/number.ts'
import { healthTexts, stuckMintsTexts as texts } from '../../texts/operator.ts'
import { MintDialog } from './mint-dialog.tsx'

/** The mint signatures of all projects that need an operator. */
export function StuckMintsPage(): ReactNode {
  const query = useOperation(stuckMints.list, {}, { staleTime: 0 })
  const [open, setOpen] = useState<StuckMint>()
  return (
    <>
      <PageHeader
        title={texts.title}
        context={texts.context}
        description={texts.description}
        actions={
          <Button onClick={() => void query.refetch()} isPending={query.isFetching}>
            {healthTexts.refresh}
          </Button>
        }
      />
      <QueryTable
        query={query}
        empty={<EmptyState icon="check" {...texts.empty} />}
        label={texts.title}
        columns={listColumns(setOpen)}
        getKey={({ projectId, reservation }) => `${projectId} ${reservation}`}
      />
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
