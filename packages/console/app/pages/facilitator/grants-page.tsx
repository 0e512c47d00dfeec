import { type ApprovalGrant, type GrantTotal, operatorGrants } from '@mintmark/facilitator/operator'
import type { ReactNode } from 'react'
import { Amount } from '../../components/amount.tsx'
import { Badge } from '../../components/badge.tsx'
import { alignEnd } from '../../components/data-table.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { ResourceSection } from '../../components/resource.tsx'
import { getNativeSymbol } from '../../format/chains.ts'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { facilitatorTexts, grantsTexts } from '../../texts/facilitator.ts'
import { componentTexts } from '../../texts/shell.ts'
import { findName, formatShare, NATIVE_DECIMALS } from './facilitator-format.ts'
import { readId, readWallet } from './settlement-search.ts'

/** The gas that wallets received for approvals, and how much of the limits of the day is used. */
export function GrantsPage(): ReactNode {
  return (
    <>
      <PageHeader
        title="Sponsored approvals"
        description="Gas that wallets received to approve Permit2, newest first. The operator pays for it."
      />
      <GrantTotalsSection />
      <GrantsSection />
    </>
  )
}

function GrantsSection(): ReactNode {
  return (
    <ResourceSection
      operation={operatorGrants.list}
      title="Gas for approvals"
      filters={{
        q: {
          label: 'Search by wallet',
          // Nothing else than a wallet can be searched for.
          toInput: (text) => {
            const payer = readWallet(text)
            return payer === undefined ? undefined : { payer }
          },
        },
        account: {
          note: (account) => <Badge tone="info">{`Account ${account}`}</Badge>,
          toInput: (account) => ({ accountId: readId(account) }),
        },
      }}
      rows="grants"
      hasParts
      columns={{
        payer: 'Wallet',
        amount: alignEnd('Received', ({ chainId, amount }: ApprovalGrant) => toNative(chainId, amount)),
        status: {
          label: 'State',
          cell: ({ status, succeeded }) =>
            succeeded === false ? (
              <Badge tone="danger">Failed</Badge>
            ) : (
              <Badge tone={succeeded === true ? 'success' : 'neutral'}>
                {findName(grantsTexts.states, status)}
              </Badge>
            ),
        },
        transaction: 'Transaction',
        settlementId: {
          label: 'Settlement',
          cell: ({ settlementId: id }) => (
            <ProjectLink to={`facilitator/settlements/${id}`}>{id}</ProjectLink>
          ),
        },
        accountId: {
          label: 'Account',
          cell: ({ accountId: id }) => (
            <ProjectLink to={`facilitator/accounts/${id}`}>{`Account ${id}`}</ProjectLink>
          ),
        },
        chainId: 'Chain',
        createTime: 'Given',
      }}
      staleTime={0}
      empty={{
        icon: 'event',
        title: 'No sponsored approvals',
        advice: 'They appear once APPROVAL_GRANT_WEI is set and a wallet without gas pays by Permit2.',
      }}
    />
  )
}

const toNative = (chainId: number, wei: string): ReactNode => (
  <Amount baseUnits={wei} decimals={NATIVE_DECIMALS} symbol={getNativeSymbol(String(chainId))} />
)

function TotalState({ total: { cost, limit } }: { readonly total: GrantTotal }): ReactNode {
  if (limit === undefined) return <Badge tone="neutral">No longer sponsored</Badge>
  if (BigInt(cost) >= BigInt(limit)) return <Badge tone="danger">Limit reached</Badge>
  return <Badge tone="success">{`${formatShare(cost, limit)} used`}</Badge>
}

/** How much of the limits of the day accounts have used. */
function GrantTotalsSection(): ReactNode {
  return (
    <ResourceSection
      operation={operatorGrants.today}
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
        limit: alignEnd('Limit', ({ chainId, limit }: GrantTotal) =>
          limit === undefined ? componentTexts.none : toNative(chainId, limit),
        ),
        _state: { label: 'State', cell: (total) => <TotalState total={total} /> },
      }}
      getKey={({ accountId, chainId }) => `${accountId} ${chainId}`}
      staleTime={0}
      empty={{
        icon: 'info',
        title: 'Nothing today',
        advice: 'No wallet received gas since midnight (UTC).',
      }}
    />
  )
}
