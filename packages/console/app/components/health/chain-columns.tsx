import { formatChain } from '../../format/chains.ts'
import { formatCount } from '../../format/number.ts'
import { componentTexts } from '../../texts/shell.ts'
import { Badge } from '../badge.tsx'
import { alignEnd, type Columns } from '../data-table.tsx'

/** A chain of a server, as its health reports it. */
interface ChainHealth {
  readonly chainId: string | number
  /** Why it cannot be read; `''` if it can. */
  readonly problem: string
  readonly newestBlock?: number | undefined
  readonly responseMs: number
}

/** The columns of a list of chains. */
export const chainColumns = {
  chainId: {
    label: 'Chain',
    cell: ({ chainId }) => (
      <>
        <strong>{formatChain(String(chainId))}</strong> <span className="faint">{chainId}</span>
      </>
    ),
  },
  problem: {
    label: 'Status',
    cell: ({ problem }) => (
      <Badge tone={problem === '' ? 'success' : 'danger'} note={problem}>
        {problem === '' ? 'Reads' : 'Cannot be read'}
      </Badge>
    ),
  },
  newestBlock: alignEnd('Newest block', ({ newestBlock }) =>
    newestBlock === undefined ? componentTexts.none : formatCount(newestBlock),
  ),
  responseMs: alignEnd('Response', ({ responseMs }) => `${formatCount(responseMs)} ms`),
} satisfies Columns<ChainHealth>
