import { type GrantTotal, operatorGrants } from '@mintmark/facilitator/operator'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { Amount } from '../../components/amount.tsx'
import { Badge } from '../../components/badge.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Section } from '../../components/detail-list.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { formatChain, getNativeSymbol } from '../../format/chains.ts'
import { facilitatorTexts, grantsTexts } from '../../texts/facilitator.ts'
import { componentTexts } from '../../texts/shell.ts'
import { formatShare, NATIVE_DECIMALS } from './facilitator-format.ts'
import { FacilitatorLink } from './facilitator-link.tsx'

const { today: texts } = grantsTexts

const toNative = (chainId: number, wei: string): ReactNode => (
  <Amount baseUnits={wei} decimals={NATIVE_DECIMALS} symbol={getNativeSymbol(String(chainId))} />
)

const columns: readonly Column<GrantTotal>[] = [
  {
    key: 'account',
    header: texts.columns.account,
    cell: ({ accountId }) => (
      <FacilitatorLink to="grants" search={{ account: String(accountId) }}>
        {facilitatorTexts.account(String(accountId))}
      </FacilitatorLink>
    ),
  },
  { key: 'chain', header: texts.columns.chain, cell: ({ chainId }) => formatChain(String(chainId)) },
  {
    key: 'cost',
    header: texts.columns.cost,
    align: 'end',
    cell: ({ chainId, cost }) => toNative(chainId, cost),
  },
  {
    key: 'limit',
    header: texts.columns.limit,
    align: 'end',
    cell: ({ chainId, limit }) => (limit === undefined ? componentTexts.none : toNative(chainId, limit)),
  },
  { key: 'state', header: texts.columns.state, cell: (total) => <TotalState total={total} /> },
]

function TotalState({ total: { cost, limit } }: { readonly total: GrantTotal }): ReactNode {
  if (limit === undefined) return <Badge tone="neutral">{texts.off}</Badge>
  if (BigInt(cost) >= BigInt(limit)) return <Badge tone="danger">{texts.full}</Badge>
  return <Badge tone="success">{texts.open(formatShare(cost, limit))}</Badge>
}

/** How much of the limits of the day accounts have used. */
export function GrantTotalsSection(): ReactNode {
  const query = useOperation(operatorGrants.today, {}, { staleTime: 0 })
  return (
    <Section title={texts.title}>
      <p className="muted">{texts.advice}</p>
      <QueryView query={query} lines={3}>
        {({ totals }) =>
          totals.length === 0 ? (
            <EmptyState icon="info" {...texts.empty} />
          ) : (
            <DataTable
              label={texts.title}
              columns={columns}
              rows={totals}
              getKey={({ accountId, chainId }) => `${accountId} ${chainId}`}
            />
          )
        }
      </QueryView>
    </Section>
  )
}
