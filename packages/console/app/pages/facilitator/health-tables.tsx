import type { OperatorHealth } from '@mintmark/facilitator/operator'
import type { ReactNode } from 'react'
import { Amount } from '../../components/amount.tsx'
import { Badge } from '../../components/badge.tsx'
import { alignEnd, type Columns } from '../../components/data-table.tsx'
import { chainColumns } from '../../components/health/chain-columns.tsx'
import { defineTable, TableSection } from '../../components/table-section.tsx'
import { getNativeSymbol } from '../../format/chains.ts'
import { formatCount } from '../../format/number.ts'
import { formatDuration } from '../../format/time.ts'
import { facilitatorHealthTexts } from '../../texts/facilitator.ts'
import { componentTexts } from '../../texts/shell.ts'
import { formatOptional, NATIVE_DECIMALS } from './facilitator-format.ts'
import { describeOutstanding, describeRetirement, needsGas, RetiredStatus } from './signer-status.tsx'

type ChainHealth = OperatorHealth['chains'][number]
type SignerHealth = OperatorHealth['signers'][number]
/** `remaining`: what remains to be done before the key of a retired one can be removed. */
type SignerRow = SignerHealth & { readonly remaining: string }

const { signers: signerTexts } = facilitatorHealthTexts

const { responseMs, ...firstColumns } = chainColumns

/** The chains of the facilitator. */
export const ChainsSection = defineTable<ChainHealth>({
  title: 'Chains',
  columns: {
    ...firstColumns,
    headAgeSeconds: alignEnd('Its age', ({ headAgeSeconds }) =>
      formatOptional(headAgeSeconds, (seconds) => formatDuration(seconds * 1000)),
    ),
    responseMs,
    depositLagBlocks: alignEnd('Deposits behind', ({ depositLagBlocks }) =>
      formatOptional(depositLagBlocks, (count) => `${formatCount(count)} blocks`),
    ),
  },
  getKey: ({ chainId }) => chainId,
  empty: {
    icon: 'info',
    title: 'No chains',
    advice: 'CHAINS of the facilitator names its chains and their nodes.',
  },
})

const signerColumns: Columns<SignerRow> = {
  address: 'Signer',
  chainId: 'Chain',
  balance: alignEnd('Left for gas', ({ chainId, balance }) =>
    balance === undefined ? (
      componentTexts.none
    ) : (
      <Amount baseUnits={balance} decimals={NATIVE_DECIMALS} symbol={getNativeSymbol(String(chainId))} />
    ),
  ),
  minedNonce: {
    label: 'Nonce',
    cell: ({ minedNonce, nextNonce }) =>
      `${formatOptional(minedNonce, String)} mined, next ${formatOptional(nextNonce, String)}`,
  },
  _state: { label: 'State', cell: (signer) => <SignerState signer={signer} /> },
}

function SignerState({ signer }: { readonly signer: SignerRow }): ReactNode {
  const { status, problem, outstanding, remaining } = signer
  if (status === 'missing')
    return (
      <Badge tone="danger" note={describeOutstanding(outstanding)}>
        {signerTexts.missing}
      </Badge>
    )
  const isLow = needsGas(signer)
  return (
    <>
      {problem !== '' ? (
        <Badge tone="danger" note={problem}>
          Problem
        </Badge>
      ) : isLow ? (
        <Badge tone="danger">{signerTexts.low}</Badge>
      ) : (
        status === 'active' && <Badge tone="success">{signerTexts.works}</Badge>
      )}
      {status === 'retired' && <RetiredStatus remaining={remaining} />}
    </>
  )
}

/** The wallets that settle, on each chain. */
export function SignersSection({ signers }: { readonly signers: readonly SignerHealth[] }): ReactNode {
  return (
    <TableSection
      title="Signers"
      columns={signerColumns}
      rows={signers.map((each) => ({ ...each, remaining: describeRetirement(each, signers) }))}
      getKey={({ chainId, address }) => `${chainId} ${address}`}
      empty={{
        icon: 'info',
        title: 'No signers',
        advice: 'Another facilitator settles, or there is no chain.',
      }}
    />
  )
}
