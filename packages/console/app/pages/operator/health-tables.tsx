import type { ServerHealth } from '@mintmark/admin'
import { chainColumns } from '../../components/health/chain-columns.tsx'
import { defineTable } from '../../components/table-section.tsx'
import { formatDuration } from '../../format/duration.ts'
import { formatCount } from '../../format/number.ts'

type ChainHealth = ServerHealth['chains'][number]

function formatLag({ lagBlocks, lagSeconds = 0 }: ChainHealth): string {
  if (lagBlocks === undefined) return 'Nothing indexed'
  return lagBlocks === 0
    ? 'Up to date'
    : `${formatCount(lagBlocks)} blocks, ${formatDuration(lagSeconds * 1000)}`
}

/** The chains of the server. */
export const ChainsSection = defineTable<ChainHealth>({
  title: 'Chains',
  columns: { ...chainColumns, lagBlocks: { label: 'Index behind', align: 'end', cell: formatLag } },
  getKey: ({ chainId }) => chainId,
  empty: {
    icon: 'info',
    title: 'No chains',
    advice: 'CHAINS names the chains of this server and their nodes.',
  },
})
