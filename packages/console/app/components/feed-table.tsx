import { DEFAULT_PAGE_SIZE } from '@mintmark/envelope'
import type { ReactNode } from 'react'
import { useFeedRecords } from '../api/feed-records.ts'
import { readPageNumber } from '../navigation/search-params.ts'
import { useSearchState } from '../navigation/use-address.ts'
import { DataTable, type DataTableProps } from './data-table.tsx'
import { Empty, type EmptyTexts } from './empty.tsx'
import { Pagination } from './pagination.tsx'
import { QueryView } from './query-view.tsx'

interface FeedTableProps<Item> extends Omit<DataTableProps<Item>, 'rows'> {
  /** The group of operations whose changes refresh the records, and the types of events whose data they are. */
  readonly feed: { readonly group: string; readonly types: string }
  /** Selects and orders the records. Default: all, newest first. */
  readonly select?: (records: readonly Item[]) => readonly Item[]
  readonly empty: EmptyTexts
  /** What is said about the list. */
  readonly note?: string
  /** What is said if there are more events than were read. */
  readonly truncated: string
}

/** Shows records of which the gateway has no list, from the events about them. */
export function FeedTable<Item>(props: FeedTableProps<Item>): ReactNode {
  const { feed, select = (records) => records, empty, note, truncated, ...table } = props
  const query = useFeedRecords(feed)
  // The types are those of events whose data is a record.
  const rows = select((query.data?.list ?? []).map(({ data }) => data as Item))
  const { items, pagination } = usePageOf(rows)
  return (
    <QueryView query={query}>
      {({ hasMore }) => (
        <div>
          {rows.length === 0 ? <Empty {...empty} /> : <DataTable<Item> {...table} rows={items} />}
          {pagination}
          {(hasMore || note !== undefined) && <p className="muted">{hasMore ? truncated : note}</p>}
        </div>
      )}
    </QueryView>
  )
}

/**
 * Selects the items of a list that is in memory for the page in the address, and shows the buttons between
 * pages if there are several.
 */
function usePageOf<Item>(list: readonly Item[]): {
  readonly items: readonly Item[]
  readonly pagination: ReactNode
} {
  const [{ page }, setSearch] = useSearchState('page')
  const lastPage = Math.max(1, Math.ceil(list.length / DEFAULT_PAGE_SIZE))
  const pageNumber = Math.min(readPageNumber(page), lastPage)
  const start = (pageNumber - 1) * DEFAULT_PAGE_SIZE
  const items = list.slice(start, start + DEFAULT_PAGE_SIZE)
  const pagination = lastPage > 1 && (
    <Pagination
      pageNumber={pageNumber}
      pageSize={DEFAULT_PAGE_SIZE}
      count={items.length}
      total={list.length}
      isLast={pageNumber === lastPage}
      onPage={(next) => setSearch({ page: String(next) })}
    />
  )
  return { items, pagination }
}
