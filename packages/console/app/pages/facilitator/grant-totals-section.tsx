import { type GrantTotal, operatorGrants } from '@mintmark/facilitator/operator'
import type { ReactNode } from 'react'
import { Amount } from '../../components/amount.tsx'
import { Badge } from '../../components/badge.tsx'
import { ResourceSection } from '../../components/resource.tsx'
import { getNativeSymbol } from '../../format/chains.ts'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { facilitatorTexts } from '../../texts/facilitator.ts'
import { componentTexts } from '../../texts/shell.ts'
import { formatShare, NATIVE_DECIMALS } from './facilitator-format.ts'

const toNative = (chainId: number, wei: string): ReactNode => (
  <Amount baseUnits={wei} decimals={NATIVE_DECIMALS} symbol={getNativeSymbol(String(chainId))} />
)

function TotalState({ total: { cost, limit } }: { readonly total: GrantTotal }): ReactNode {
  if (limit === undefined) return <Badge tone="neutral">No longer sponsored</Badge>
  if (BigInt(cost) >= BigInt(limit)) return <Badge tone="danger">Limit reached</Badge>
  return <Badge tone="success">{`${formatShare(cost, limit)} used`}</Badge>
}

/** How much of the limits of the day accounts have used. */
export function GrantTotalsSection(): ReactNode {
  return (
    <ResourceSection
      operation={operatorGrants.today}
      input={{}}
      title="Today"
      description="The largest totals of the day (UTC), which count against APPROVAL_GRANTS_PER_DAY_WEI. At the limit, settles that need gas for an approval are refused until midnight."
      rows="totals"
      columns={{
        accountId: {
          label: 'Account',
          cell: ({ accountId }) => (
            <ProjectLink to="facilitator/grants" search={{ account: String(accountId) }}>
              {facilitatorTexts.account(String(accountId))}
            </ProjectLink>
          ),
        },
        chainId: 'Chain',
        cost: { label: 'Used', align: 'end', cell: ({ chainId, cost }) => toNative(chainId, cost) },
        limit: {
          label: 'Limit',
          align: 'end',
          cell: ({ chainId, limit }) =>
            limit === undefined ? componentTexts.none : toNative(chainId, limit),
        },
        _state: { label: 'State', cell: (total) => <TotalState total={total} /> },
      }}
      getKey={({ accountId, chainId }) => `${accountId} ${chainId}`}
      staleTime={0}
      lines={3}
      empty={{
        icon: 'info',
        title: 'Nothing today',
        advice: 'No wallet received gas since midnight (UTC).',
      }}
    />
  )
}
