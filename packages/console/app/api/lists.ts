import { DEFAULT_PAGE_SIZE, type Page } from '@mintmark/envelope'
import type { DataOf, InputOf } from '@mintmark/operation'
import {
  keepPreviousData,
  type QueryKey,
  type UseQueryResult,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { ConsoleOperation } from './console-operation.ts'
import { callOperation, getReadKey, useClient } from './operations.ts'

/** A list of a server. */
export type ListOperation = ConsoleOperation & {
  readonly paged?: boolean
  readonly '~types'?: { data: Page<unknown> }
}

/** An item of a list. */
export type ItemOf<O> = DataOf<O> extends Page<infer Item> ? Item : never

/** The input of a list without the fields that select a page. */
export type FiltersOf<O> = Omit<InputOf<O>, 'pageNumber' | 'pageSize' | 'cursor' | 'orderBy'>

/** Which part of a list to read. */
export interface PageRequest {
  /** From 1. */
  readonly pageNumber: number
  /** The order: a field's name, with ` desc` for descending order. Default: the server's. */
  readonly orderBy?: string | undefined
  /** Default: 20. */
  readonly pageSize?: number | undefined
}

/**
 * Reads a page of a list. After the page before it, it continues at that page's cursor, so that the server
 * need not count the rows before. The previous page stays until the new one arrives.
 */
export function useList<O extends ListOperation>(
  operation: O,
  filters: FiltersOf<O>,
  { pageNumber, orderBy, pageSize = DEFAULT_PAGE_SIZE }: PageRequest,
): UseQueryResult<Page<ItemOf<O>>> {
  const { client, projectId } = useClient(operation)
  const queryClient = useQueryClient()
  const inputOf = (page: number) => ({ ...filters, orderBy, pageSize, pageNumber: page })
  const keyOf = (page: number) => getReadKey(projectId, operation, inputOf(page))
  return useQuery<Page<ItemOf<O>>>({
    queryKey: keyOf(pageNumber),
    queryFn: async ({ signal }) => {
      const previous = queryClient.getQueryData<Page<unknown>>(keyOf(pageNumber - 1))
      const next = previous?.paras.next
      const cursor = typeof next === 'string' ? next : undefined
      const input = { ...inputOf(pageNumber), cursor } as InputOf<O>
      const page = await callOperation(client, operation, input, { signal })
      // The operation is a list, so its data is a page of its items.
      return page as Page<ItemOf<O>>
    },
    placeholderData: (previousData, previousQuery) =>
      isSameList(previousQuery?.queryKey, keyOf(pageNumber)) ? keepPreviousData(previousData) : undefined,
  })
}

/** Whether two keys are of the same operation in the same project, whatever their filters. */
function isSameList(one: QueryKey | undefined, other: QueryKey): boolean {
  return one !== undefined && one.slice(0, 3).join() === other.slice(0, 3).join()
}
