import { operatorChannels } from '@mintmark/facilitator/operator'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { DataTable } from '../../components/data-table.tsx'
import { FilterSelect, SearchField, Toolbar } from '../../components/filters.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PartLinks } from '../../components/part-links.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { useSearchState } from '../../navigation/use-address.ts'
import { channelsTexts as texts } from '../../texts/facilitator.ts'
import { componentTexts } from '../../texts/shell.ts'
import { channelColumns } from './channel-columns.tsx'
import { readId, readWallet } from './settlement-search.ts'

const roleOptions = Object.entries(texts.roles).map(([value, label]) => ({ value, label }))

/** The payment channels of the facilitator, with what their chains show now. */
export function ChannelsPage(): ReactNode {
  const [{ q = '', role, before }, setSearch] = useSearchState('q', 'role', 'before')
  const wallet = readWallet(q)
  // Nothing else than a wallet can be searched for.
  const isUnknown = q !== '' && wallet === undefined
  const filters = {
    ...(wallet !== undefined && (role === 'receiver' ? { receiver: wallet } : { payer: wallet })),
    before: readId(before),
  }
  const query = useOperation(operatorChannels.list, filters, { keepPrevious: true, staleTime: 0 })
  const clear = () => setSearch({ q: undefined, role: undefined, before: undefined })
  return (
    <>
      <PageHeader
        title={texts.title}
        context={texts.context}
        description="Payment channels for which this facilitator signed transactions, newest first. The amounts are what the chains show now. A seller may have a higher voucher than the one here."
      />
      <Toolbar isFiltered={q !== ''} onClear={clear}>
        <SearchField
          label="Search by wallet"
          value={q}
          onSearch={(text) => setSearch({ q: text, before: undefined })}
        />
        <FilterSelect
          label="The wallet is"
          value={role ?? ''}
          options={roleOptions}
          onChange={(value) => setSearch({ role: value, before: undefined })}
        />
      </Toolbar>
      <QueryView query={query} lines={8}>
        {({ channels, next }) => (
          <>
            {channels.length === 0 || isUnknown ? (
              <NoChannels isFiltered={q !== ''} />
            ) : (
              <DataTable
                label={texts.title}
                columns={channelColumns}
                rows={channels}
                getKey={({ id }) => id}
                isStale={query.isPlaceholderData}
              />
            )}
            <PartLinks
              isFirst={filters.before === undefined}
              next={isUnknown ? undefined : next}
              onOpen={(id) => setSearch({ before: id === undefined ? undefined : String(id) })}
              label={texts.title}
            />
          </>
        )}
      </QueryView>
    </>
  )
}

function NoChannels({ isFiltered }: { readonly isFiltered: boolean }): ReactNode {
  if (!isFiltered)
    return (
      <EmptyState
        icon="wallet"
        title="No channels"
        advice="A channel appears when a payer deposits by the scheme batch-settlement."
      />
    )
  return (
    <EmptyState icon="search" title={componentTexts.notFoundTitle} advice={componentTexts.notFoundAdvice} />
  )
}
