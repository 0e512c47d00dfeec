import type { OperatorHealth } from '@mintmark/facilitator/operator'
import type { ReactNode } from 'react'
import { Amount } from '../../components/amount.tsx'
import { Badge } from '../../components/badge.tsx'
import { alignEnd, type Columns } from '../../components/data-table.tsx'
import { TableSection } from '../../components/table-section.tsx'
import { getNativeSymbol } from '../../format/chains.ts'
import { formatCount } from '../../format/number.ts'
import { formatDuration } from '../../format/time.ts'
import { facilitatorHealthTexts } from '../../texts/facilitator.ts'
import { componentTexts } from '../../texts/shell.ts'
import { formatOptional } from './facilitator-format.ts'
import { describeRetirement, needsGas, RetiredStatus } from './signer-status.tsx'

type SolanaHealth = NonNullable<OperatorHealth['solana']>[number]

/** A node, with its network and its number in the settings. */
type NodeRow = SolanaHealth['nodes'][number] & {
  readonly network: string
  readonly number: number
  readonly headAgeSeconds: number | undefined
}
/** `remaining`: what remains to be done before the key of a retired one can be removed. */
type FeePayerRow = SolanaHealth['feePayers'][number] & {
  readonly network: string
  readonly remaining: string
}

const LAMPORT_DECIMALS = 9
const { signers: signerTexts } = facilitatorHealthTexts

const nodeColumns: Columns<NodeRow> = {
  number: { label: 'Node', cell: ({ number }) => <strong>{`Node ${String(number)}`}</strong> },
  network: 'Network',
  _status: { label: 'Status', cell: (node) => <NodeStatus node={node} /> },
  newestSlot: alignEnd('Newest slot', ({ newestSlot }) => formatOptional(newestSlot, formatCount)),
  headAgeSeconds: alignEnd('Its age', ({ lagSlots, headAgeSeconds }) =>
    formatOptional(lagSlots === 0 ? headAgeSeconds : undefined, (seconds) => formatDuration(seconds * 1000)),
  ),
  lagSlots: alignEnd('Behind', ({ lagSlots }) =>
    formatOptional(lagSlots, (count) => `${formatCount(count)} slots`),
  ),
  responseMs: { label: 'Response', align: 'end', cell: ({ responseMs }) => `${formatCount(responseMs)} ms` },
}

function NodeStatus({ node: { problem, isForeign } }: { readonly node: NodeRow }): ReactNode {
  if (problem === '') return <Badge tone="success">Reads</Badge>
  return (
    <Badge tone="danger" note={problem}>
      {isForeign ? 'Another network' : 'Cannot be read'}
    </Badge>
  )
}

const feePayerColumns: Columns<FeePayerRow> = {
  address: 'Fee payer',
  network: 'Network',
  balance: alignEnd('Left for fees', ({ network, balance }) =>
    balance === undefined ? (
      componentTexts.none
    ) : (
      <Amount baseUnits={balance} decimals={LAMPORT_DECIMALS} symbol={getNativeSymbol(network)} />
    ),
  ),
  _state: { label: 'State', cell: (feePayer) => <FeePayerState feePayer={feePayer} /> },
}

function FeePayerState({ feePayer }: { readonly feePayer: FeePayerRow }): ReactNode {
  const { status, remaining } = feePayer
  if (status === 'missing')
    return (
      <Badge tone="neutral" note="What it has signed needs no key">
        {signerTexts.missing}
      </Badge>
    )
  return (
    <>
      {(status === 'active' || needsGas(feePayer)) && <FeePayerBalance feePayer={feePayer} />}
      {status === 'retired' && <RetiredStatus remaining={remaining} />}
    </>
  )
}

function FeePayerBalance({ feePayer: { balance, isLow } }: { readonly feePayer: FeePayerRow }): ReactNode {
  if (balance === undefined) return <Badge tone="warning">Not read</Badge>
  if (balance === '0') return <Badge tone="danger">Cannot settle</Badge>
  return <Badge tone={isLow ? 'warning' : 'success'}>{isLow ? signerTexts.low : signerTexts.works}</Badge>
}

/** The nodes and fee payers of the networks of Solana. Nothing if there are none. */
export function SolanaSections({ networks }: { readonly networks: readonly SolanaHealth[] }): ReactNode {
  if (networks.length === 0) return null
  const nodes = networks.flatMap(({ network, headAgeSeconds, nodes: listed }) =>
    listed.map((node, index) => ({ ...node, network, headAgeSeconds, number: index + 1 })),
  )
  const all = networks.flatMap(({ feePayers }) => feePayers)
  const rows = networks.flatMap(({ network, feePayers }) =>
    feePayers.map((each) => ({ ...each, network, remaining: describeRetirement(each, all) })),
  )
  return (
    <>
      <TableSection
        title="Nodes of Solana"
        columns={nodeColumns}
        rows={nodes}
        getKey={({ network, number }) => `${network} ${number}`}
      />
      <TableSection
        title="Fee payers of Solana"
        columns={feePayerColumns}
        rows={rows}
        getKey={({ network, address }) => `${network} ${address}`}
      />
    </>
  )
}
