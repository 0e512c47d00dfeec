import { operatorGrants } from '@mintmark/facilitator/operator'
import type { ReactNode } from 'react'
import { Amount } from '../../components/amount.tsx'
import { Badge } from '../../components/badge.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { ResourceSection } from '../../components/resource.tsx'
import { getNativeSymbol } from '../../format/chains.ts'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { grantsTexts } from '../../texts/facilitator.ts'
import { findName, NATIVE_DECIMALS } from './facilitator-format.ts'
import { GrantTotalsSection } from './grant-totals-section.tsx'
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
      input={{}}
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
        amount: {
          label: 'Received',
          align: 'end',
          cell: ({ chainId, amount }) => (
            <Amount baseUnits={amount} decimals={NATIVE_DECIMALS} symbol={getNativeSymbol(String(chainId))} />
          ),
        },
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
      getKey={({ id }) => id}
      staleTime={0}
      empty={{
        icon: 'event',
        title: 'No sponsored approvals',
        advice: 'They appear once APPROVAL_GRANT_WEI is set and a wallet without gas pays by Permit2.',
      }}
    />
  )
}
