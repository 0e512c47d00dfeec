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
        context="Operator"
        description="Expired mint signatures that the chain neither shows as used nor proves unused. What they reserve stays reserved."
        actions={
          <Button onClick={() => void query.refetch()} isPending={query.isFetching}>
            {healthTexts.refresh}
          </Button>
        }
      />
      <QueryTable
        query={query}
        empty={
          <EmptyState
            icon="check"
            title="No mint is stuck"
            advice="The chains have decided all expired signatures."
          />
        }
        label={texts.title}
        columns={listColumns(setOpen)}
        getKey={({ projectId, reservation }) => `${projectId} ${reservation}`}
      />
      {open !== undefined && <MintDialog mint={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}

function listColumns(onOpen: (mint: StuckMint) => void): readonly Column<StuckMint>[] {
  return [
    {
      key: 'signature',
      header: 'Signature',
      cell: (mint) => (
        <button type="button" className="link-button row-link" onClick={() => onOpen(mint)}>
          {`Project ${String(mint.projectId)}, signature ${String(mint.reservation)}`}
        </button>
      ),
    },
    {
      key: 'recipient',
      header: 'Recipient',
      cell: ({ recipient }) => <Identifier value={recipient} />,
    },
    {
      key: 'quantity',
      header: 'Units',
      align: 'end',
      cell: ({ quantity }) => formatCount(quantity),
    },
    { key: 'ended', header: 'Ended', cell: ({ validUntil }) => <Time value={validUntil} /> },
    {
      key: 'attempts',
      header: 'Attempts',
      align: 'end',
      cell: ({ attempts }) => formatCount(attempts),
    },
  ]
}
