import { type ApprovalGrant, operatorGrants } from '@mintmark/facilitator/operator'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { Amount } from '../../components/amount.tsx'
import { Badge } from '../../components/badge.tsx'
import { Identifier } from '../../components/copy-button.tsx'
import { type Columns, DataTable } from '../../components/data-table.tsx'
import { Section } from '../../components/detail-list.tsx'
import { SearchField, Toolbar } from '../../components/filters.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PartLinks } from '../../components/part-links.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { findExplorerLink, formatChain, getNativeSymbol } from '../../format/chains.ts'
import { useSearchState } from '../../navigation/use-address.ts'
import { facilitatorTexts, grantsTexts as texts } from '../../texts/facilitator.ts'
import { componentTexts } from '../../texts/shell.ts'
import { findName, NATIVE_DECIMALS } from './facilitator-format.ts'
import { FacilitatorLink } from './facilitator-link.tsx'
import { GrantTotalsSection } from './grant-totals-section.tsx'
import { readId, readWallet } from './settlement-search.ts'

const columns: Columns<ApprovalGrant> = {
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
        <Badge tone={succeeded === true ? 'success' : 'neutral'}>{findName(texts.states, status)}</Badge>
      ),
  },
  transaction: {
    label: 'Transaction',
    cell: ({ chainId, transaction }) => (
      <Identifier value={transaction} link={findExplorerLink(String(chainId), 'tx', transaction)} />
    ),
  },
  settlementId: {
    label: 'Settlement',
    cell: ({ settlementId }) => (
      <FacilitatorLink to={`settlements/${settlementId}`}>{settlementId}</FacilitatorLink>
    ),
  },
  accountId: {
    label: 'Account',
    cell: ({ accountId }) => (
      <FacilitatorLink to={`accounts/${accountId}`}>
        {facilitatorTexts.account(String(accountId))}
      </FacilitatorLink>
    ),
  },
  chainId: { label: 'Chain', cell: ({ chainId }) => formatChain(String(chainId)) },
  createTime: 'Given',
}

/** The gas that wallets received for approvals, and how much of the limits of the day is used. */
export function GrantsPage(): ReactNode {
  const [{ q = '', account, before }, setSearch] = useSearchState('q', 'account', 'before')
  const accountId = readId(account)
  const payer = readWallet(q)
  const filters = {
    ...(payer !== undefined && { payer }),
    ...(accountId !== undefined && { accountId }),
    before: readId(before),
  }
  // Nothing else than a wallet can be searched for.
  const isUnknown = q !== '' && payer === undefined
  const query = useOperation(operatorGrants.list, filters, { keepPrevious: true, staleTime: 0 })
  const isFiltered = q !== '' || accountId !== undefined
  const clear = () => setSearch({ q: undefined, account: undefined, before: undefined })
  return (
    <>
      <PageHeader
        title="Sponsored approvals"
        context={texts.context}
        description="Gas that wallets received to approve Permit2, newest first. The operator pays for it."
      />
      <GrantTotalsSection />
      <Section title={texts.list}>
        <Toolbar isFiltered={isFiltered} onClear={clear}>
          <SearchField
            label="Search by wallet"
            value={q}
            onSearch={(text) => setSearch({ q: text, before: undefined })}
          />
          {accountId !== undefined && (
            <Badge tone="info">{facilitatorTexts.account(String(accountId))}</Badge>
          )}
        </Toolbar>
        <QueryView query={query} lines={8}>
          {({ grants, next }) => (
            <>
              {grants.length === 0 || isUnknown ? (
                <NoGrants isFiltered={isFiltered} />
              ) : (
                <DataTable
                  label={texts.list}
                  columns={columns}
                  rows={grants}
                  getKey={({ id }) => id}
                  isStale={query.isPlaceholderData}
                />
              )}
              <PartLinks
                isFirst={filters.before === undefined}
                next={isUnknown ? undefined : next}
                onOpen={(id) => setSearch({ before: id === undefined ? undefined : String(id) })}
                label={texts.list}
              />
            </>
          )}
        </QueryView>
      </Section>
    </>
  )
}

function NoGrants({ isFiltered }: { readonly isFiltered: boolean }): ReactNode {
  if (!isFiltered)
    return (
      <EmptyState
        icon="event"
        title="No sponsored approvals"
        advice="They appear once APPROVAL_GRANT_WEI is set and a wallet without gas pays by Permit2."
      />
    )
  return (
    <EmptyState icon="search" title={componentTexts.notFoundTitle} advice={componentTexts.notFoundAdvice} />
  )
}
