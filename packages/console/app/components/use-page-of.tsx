import { DEFAULT_PAGE_SIZE } from '@mintmark/envelope'
import type { ReactNode } from 'react'
import { readPageNumber } from '../navigation/search-params.ts'
import { useSearchState } from '../navigation/use-address.ts'
import { Pagination } from './pagination.tsx'

/**
 * Selects the items of a list that is in memory for the page in the address, and shows the buttons between
 * pages if there are several.
 */
export function usePageOf<Item>(list: readonly Item[]): {
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
