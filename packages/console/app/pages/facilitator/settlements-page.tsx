import { type OperatorSettlement, operatorSettlements } from '@mintmark/facilitator/operator'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { Badge } from '../../components/badge.tsx'
import { type Columns, DataTable } from '../../components/data-table.tsx'
import { FilterSelect, SearchField, Toolbar } from '../../components/filters.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PartLinks } from '../../components/part-links.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { formatChain } from '../../format/chains.ts'
import { readChoice } from '../../navigation/search-params.ts'
import { useSearchState } from '../../navigation/use-address.ts'
import { facilitatorTexts, settlementsTexts as texts } from '../../texts/facilitator.ts'
import { componentTexts } from '../../texts/shell.ts'
import { toChainId } from './facilitator-format.ts'
import { FacilitatorLink } from './facilitator-link.tsx'
import { PaymentAmount } from './payment-amount.tsx'
import { readId, readSettlementSearch } from './settlement-search.ts'
import { SettlementStatus } from './settlement-status.tsx'

const columns: Columns<OperatorSettlement> = {
  id: {
    label: 'Settlement',
    cell: ({ id }) => (
      <FacilitatorLink to={`settlements/${id}`} className="row-link">
        {id}
      </FacilitatorLink>
    ),
  },
  status: { label: 'Status', cell: (settlement) => <SettlementStatus settlement={settlement} /> },
  amount: { label: 'Amount', align: 'end', cell: (settlement) => <PaymentAmount settlement={settlement} /> },
  payer: 'Payer',
  accountId: {
    label: 'Account',
    cell: ({ accountId }) => (
      <FacilitatorLink to={`accounts/${accountId}`}>
        {facilitatorTexts.account(String(accountId))}
      </FacilitatorLink>
    ),
  },
  network: { label: 'Chain', cell: ({ network }) => formatChain(toChainId(network)) },
  createTime: 'Requested',
}

const statusOptions = Object.entries(texts.statuses).map(([value, label]) => ({ value, label }))

/** The settlements of all accounts: search and filters. */
export function SettlementsPage(): ReactNode {
  const [{ q = '', account, before, ...search }, setSearch] = useSearchState(
    'q',
    'status',
    'account',
    'before',
  )
  const accountId = readId(account)
  const status = readChoice(search.status, texts.statuses)
  const filters = {
    ...readSettlementSearch(q),
    ...(status !== undefined && { status }),
    ...(accountId !== undefined && { accountId }),
    before: readId(before),
  }
  const query = useOperation(operatorSettlements.list, filters, { keepPrevious: true, staleTime: 0 })
  const isFiltered = q !== '' || status !== undefined || accountId !== undefined
  const setFilter = (changes: { q?: string; status?: string; account?: string | undefined }) =>
    setSearch({ ...changes, before: undefined })
  const clear = () => setSearch({ q: undefined, status: undefined, account: undefined, before: undefined })
  return (
    <>
      <PageHeader
        title={texts.title}
        context={texts.context}
        description="The payments of all accounts, newest first."
      />
      <Toolbar isFiltered={isFiltered} onClear={clear}>
        <SearchField
          label="Search by order, transaction or wallet"
          value={q}
          onSearch={(text) => setFilter({ q: text })}
        />
        <FilterSelect
          label="Status"
          value={status ?? ''}
          options={statusOptions}
          onChange={(value) => setFilter({ status: value })}
        />
        {accountId !== undefined && <Badge tone="info">{facilitatorTexts.account(String(accountId))}</Badge>}
      </Toolbar>
      <QueryView query={query} lines={8}>
        {({ settlements, next }) => (
          <>
            {settlements.length === 0 ? (
              <NoSettlements isFiltered={isFiltered} hasMore={next !== undefined} />
            ) : (
              <DataTable
                label={texts.title}
                columns={columns}
                rows={settlements}
                getKey={({ id }) => id}
                isStale={query.isPlaceholderData}
              />
            )}
            <PartLinks
              isFirst={filters.before === undefined}
              next={next}
              onOpen={(id) => setSearch({ before: id === undefined ? undefined : String(id) })}
              label={texts.title}
            />
          </>
        )}
      </QueryView>
    </>
  )
}

interface NoSettlementsProps {
  readonly isFiltered: boolean
  /** Whether older settlements were not searched yet. */
  readonly hasMore: boolean
}

function NoSettlements({ isFiltered, hasMore }: NoSettlementsProps): ReactNode {
  if (hasMore)
    return (
      <EmptyState
        icon="search"
        title="None in this part of the list"
        advice="The facilitator has searched a part of all settlements. Older ones may match."
      />
    )
  if (!isFiltered)
    return (
      <EmptyState
        icon="facilitator"
        title="No settlements"
        advice="Payments appear here once a program settles one."
      />
    )
  return (
    <EmptyState icon="search" title={componentTexts.notFoundTitle} advice={componentTexts.notFoundAdvice} />
  )
}
