import type { ServerHealth } from '@mintmark/admin'
import type { ReactNode } from 'react'
import { Badge } from '../../components/badge.tsx'
import type { Columns } from '../../components/data-table.tsx'
import { TableSection } from '../../components/table-section.tsx'
import { formatChain } from '../../format/chains.ts'
import { formatDuration } from '../../format/duration.ts'
import { formatCount } from '../../format/number.ts'
import { healthTexts } from '../../texts/operator.ts'
import { componentTexts } from '../../texts/shell.ts'

type ChainHealth = ServerHealth['chains'][number]

const { server: serverTexts } = healthTexts

const chainColumns: Columns<ChainHealth> = {
  chainId: {
    label: 'Chain',
    cell: ({ chainId }) => (
      <>
        <strong>{formatChain(chainId)}</strong> <span className="faint">{chainId}</span>
      </>
    ),
  },
  problem: {
    label: 'Status',
    cell: ({ problem }) => (
      <>
        <Badge tone={problem === '' ? 'success' : 'danger'}>
          {problem === '' ? 'Reads' : 'Cannot be read'}
        </Badge>
        {problem !== '' && <div className="muted break">{problem}</div>}
      </>
    ),
  },
  newestBlock: {
    label: 'Newest block',
    align: 'end',
    cell: ({ newestBlock }) => (newestBlock === undefined ? componentTexts.none : formatCount(newestBlock)),
  },
  responseMs: {
    label: 'Response',
    align: 'end',
    cell: ({ responseMs }) => serverTexts.milliseconds(formatCount(responseMs)),
  },
  lagBlocks: { label: 'Index behind', align: 'end', cell: formatLag },
}

function formatLag({ lagBlocks, lagSeconds = 0 }: ChainHealth): string {
  if (lagBlocks === undefined) return 'Nothing indexed'
  return lagBlocks === 0
    ? 'Up to date'
    : `${formatCount(lagBlocks)} blocks, ${formatDuration(lagSeconds * 1000)}`
}

/** The chains of the server. */
export function ChainsSection({ chains }: { readonly chains: readonly ChainHealth[] }): ReactNode {
  return (
    <TableSection
      title="Chains"
      columns={chainColumns}
      rows={chains}
      getKey={({ chainId }) => chainId}
      empty={{
        icon: 'info',
        title: 'No chains',
        advice: 'CHAINS names the chains of this server and their nodes.',
      }}
    />
  )
}
