import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { DataTable, type DataTableProps } from './data-table.tsx'
import { QueryView } from './query-view.tsx'

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
