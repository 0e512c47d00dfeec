import { DEFAULT_PAGE_SIZE, type Page } from '@mintmark/envelope'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { componentTexts } from '../texts/shell.ts'
import { type Columns, DataTable } from './data-table.tsx'
import { ErrorNotice } from './error-notice.tsx'
import { Pagination } from './pagination.tsx'
import { EmptyState, Skeleton } from './placeholders.tsx'

interface ListViewProps<Item> {
  readonly label: string
  /** The query of `useList`. */
  readonly query: UseQueryResult<Page<Item>>
  readonly columns: Columns<Item>
  readonly getKey: (item: Item) => string | number
  readonly actions?: (item: Item) => ReactNode
  /** Shown if the list is empty without any filter. */
  readonly empty: ReactNode
  /** Whether a filter or a search is set. */
  readonly isFiltered?: boolean
  readonly pageSize?: number
  readonly onPage: (pageNumber: number) => void
  readonly sort?: string | undefined
  readonly onSort?: (sort: string) => void
}

/**
 * Shows a list of the server: while it is read, if reading failed, if it is empty, and its table with the
 * pages.
 */
export function ListView<Item>(props: ListViewProps<Item>): ReactNode {
  const { label, query, columns, getKey, actions, empty, isFiltered = false } = props
  const { pageSize = DEFAULT_PAGE_SIZE, onPage, sort, onSort } = props
  const { data, error, isFetching, isPlaceholderData, refetch } = query
  if (error !== null && data === undefined) {
    return <ErrorNotice error={error} onRetry={() => void refetch()} isRetrying={isFetching} />
  }
  if (data === undefined) return <Skeleton lines={8} />
  if (data.list.length === 0 && data.pageNumber <= 1) {
    if (!isFiltered) return empty
    return (
      <EmptyState icon="search" title={componentTexts.notFoundTitle} advice={componentTexts.notFoundAdvice} />
    )
  }
  return (
    <>
      <ErrorNotice error={error} onRetry={() => void refetch()} isRetrying={isFetching} />
      <DataTable<Item>
        label={label}
        columns={columns}
        rows={data.list}
        getKey={getKey}
        actions={actions}
        sort={sort}
        onSort={onSort}
        isStale={isPlaceholderData}
      />
      <Pagination
        pageNumber={data.pageNumber}
        pageSize={pageSize}
        count={data.list.length}
        total={data.totalRow}
        isLast={data.lastPage}
        onPage={onPage}
        label={label}
      />
    </>
  )
}
