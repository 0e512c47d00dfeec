import type { ReactNode } from 'react'
import { useFeedRecords } from '../api/feed-records.ts'
import { DataTable, type DataTableProps } from './data-table.tsx'
import { QueryView } from './query-view.tsx'
import { Empty, type EmptyTexts } from './resource.tsx'
import { usePageOf } from './use-page-of.tsx'

interface FeedTableProps<Item> extends Omit<DataTableProps<Item>, 'rows'> {
  /** The group of operations whose changes refresh the records, and the types of the events about them. */
  readonly feed: { readonly group: string; readonly types: string }
  /** The records in the order in which they are shown. */
  readonly rows: readonly Item[]
  readonly empty: EmptyTexts
  /** What is said if there are more events than were read. */
  readonly truncated: string
}

/** Shows records of which the gateway has no list, from the events about them. */
export function FeedTable<Item>(props: FeedTableProps<Item>): ReactNode {
  const { feed, rows, empty, truncated, ...table } = props
  const query = useFeedRecords(feed)
  const { items, pagination } = usePageOf(rows)
  return (
    <QueryView query={query}>
      {({ hasMore }) => (
        <div>
          {rows.length === 0 ? <Empty {...empty} /> : <DataTable<Item> {...table} rows={items} />}
          {pagination}
          {hasMore && <p className="muted">{truncated}</p>}
        </div>
      )}
    </QueryView>
  )
}
