import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { DataTable, type DataTableProps } from './data-table.tsx'
import { ErrorNotice } from './notice.tsx'
import { Skeleton } from './placeholders.tsx'

interface QueryViewProps<Data> {
  readonly query: UseQueryResult<Data>
  readonly children: (data: Data) => ReactNode
}

/** Shows what a query returned; while it is read, its place; if reading failed, why. */
export function QueryView<Data>({ query, children }: QueryViewProps<Data>): ReactNode {
  const { data, error, isFetching, refetch } = query
  return (
    <>
      <ErrorNotice error={error} onRetry={() => void refetch()} isRetrying={isFetching} />
      {data !== undefined ? children(data) : error === null && <Skeleton />}
    </>
  )
}

interface QueryTableProps<Item> extends Omit<DataTableProps<Item>, 'rows'> {
  readonly query: UseQueryResult<readonly Item[]>
  /** Shown if there are no records. */
  readonly empty: ReactNode
}

/** Shows records that are read without pages: while they are read, if reading failed, and if there are none. */
export function QueryTable<Item>({ query, empty, ...table }: QueryTableProps<Item>): ReactNode {
  return (
    <QueryView query={query}>
      {(rows) => (rows.length === 0 ? empty : <DataTable {...table} rows={rows} />)}
    </QueryView>
  )
}
