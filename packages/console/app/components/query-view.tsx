import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorNotice } from './error-notice.tsx'
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
