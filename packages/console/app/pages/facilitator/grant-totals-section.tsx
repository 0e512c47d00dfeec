import { type GrantTotal, operatorGrants } from '@mintmark/facilitator/operator'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { Amount } from '../../components/amount.tsx'
import { Badge } from '../../components/badge.tsx'
import { type Columns, DataTable } from '../../components/data-table.tsx'
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

const columns: Columns<GrantTotal> = {
  accountId: {
    label: 'Account',
    cell: ({ accountId }) => (
      <FacilitatorLink to="grants" search={{ account: String(accountId) }}>
        {facilitatorTexts.account(String(accountId))}
      </FacilitatorLink>
    ),
  },
  chainId: { label: 'Chain', cell: ({ chainId }) => formatChain(String(chainId)) },
  cost: { label: 'Used', align: 'end', cell: ({ chainId, cost }) => toNative(chainId, cost) },
  limit: {
    label: 'Limit',
    align: 'end',
    cell: ({ chainId, limit }) => (limit === undefined ? componentTexts.none : toNative(chainId, limit)),
  },
  _state: { label: 'State', cell: (total) => <TotalState total={total} /> },
}

function TotalState({ total: { cost, limit } }: { readonly total: GrantTotal }): ReactNode {
  if (limit === undefined) return <Badge tone="neutral">No longer sponsored</Badge>
  if (BigInt(cost) >= BigInt(limit)) return <Badge tone="danger">Limit reached</Badge>
  return <Badge tone="success">{`${formatShare(cost, limit)} used`}</Badge>
}

/** How much of the limits of the day accounts have used. */
export function GrantTotalsSection(): ReactNode {
  const query = useOperation(operatorGrants.today, {}, { staleTime: 0 })
  return (
    <Section title={texts.title}>
      <p className="muted">
        The largest totals of the day (UTC), which count against APPROVAL_GRANTS_PER_DAY_WEI. At the limit,
        settles that need gas for an approval are refused until midnight.
      </p>
      <QueryView query={query} lines={3}>
        {({ totals }) =>
          totals.length === 0 ? (
            <EmptyState
              icon="info"
              title="Nothing today"
              advice="No wallet received gas since midnight (UTC)."
            />
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
