import type { ServerHealth } from '@mintmark/admin'
import type { ReactNode } from 'react'
import { Badge } from '../../components/badge.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Section } from '../../components/detail-list.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { formatChain } from '../../format/chains.ts'
import { formatDuration } from '../../format/duration.ts'
import { formatCount } from '../../format/number.ts'
import { healthTexts } from '../../texts/operator.ts'
import { componentTexts } from '../../texts/shell.ts'

type ChainHealth = ServerHealth['chains'][number]

const { chains: chainTexts, server: serverTexts } = healthTexts

const chainColumns: readonly Column<ChainHealth>[] = [
  {
    key: 'chain',
    header: chainTexts.columns.chain,
    cell: ({ chainId }) => (
      <>
        <strong>{formatChain(chainId)}</strong> <span className="faint">{chainId}</span>
      </>
    ),
  },
  {
    key: 'status',
    header: chainTexts.columns.status,
    cell: ({ problem }) => (
      <>
        <Badge tone={problem === '' ? 'success' : 'danger'}>
          {problem === '' ? chainTexts.reads : chainTexts.stopped}
        </Badge>
        {problem !== '' && <div className="muted break">{problem}</div>}
      </>
    ),
  },
  {
    key: 'block',
    header: chainTexts.columns.block,
    align: 'end',
    cell: ({ newestBlock }) => (newestBlock === undefined ? componentTexts.none : formatCount(newestBlock)),
  },
  {
    key: 'response',
    header: chainTexts.columns.response,
    align: 'end',
    cell: ({ responseMs }) => serverTexts.milliseconds(formatCount(responseMs)),
  },
  { key: 'lag', header: chainTexts.columns.lag, align: 'end', cell: formatLag },
]

function formatLag({ lagBlocks, lagSeconds = 0 }: ChainHealth): string {
  if (lagBlocks === undefined) return chainTexts.noLag
  return lagBlocks === 0
    ? chainTexts.upToDate
    : chainTexts.lag(formatCount(lagBlocks), formatDuration(lagSeconds * 1000))
}

/** The chains of the server. */
export function ChainsSection({ chains }: { readonly chains: readonly ChainHealth[] }): ReactNode {
  return (
    <Section title={chainTexts.title}>
      {chains.length === 0 ? (
        <EmptyState icon="info" {...chainTexts.empty} />
      ) : (
        <DataTable
          label={chainTexts.title}
          columns={chainColumns}
          rows={chains}
          getKey={({ chainId }) => chainId}
        />
      )}
    </Section>
  )
}
