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

/** Which part of a list to read. */
export interface PageRequest {
  /** From 1. */
  readonly pageNumber: number
  /** The order: a field's name, with ` desc` for descending order. Default: the server's. */
  readonly orderBy?: string | undefined
}

interface RecordsOptions<O extends ConsoleOperation> {
  /** Whether to read at present. Default: yes. */
  readonly enabled?: boolean
  /** Milliseconds for which the records count as current. Default: a minute. */
  readonly staleTime?: number | undefined
  /** Returns the milliseconds until the records are read again. Default: they are not. */
  readonly refreshMs?: ((data: DataOf<O>) => number | undefined) | undefined
}

/**
 * Reads records: a page of a list, or without `page` all that an operation returns. After the page before it, a
 * page continues at that page's cursor, so that the server need not count the rows before. The previous page
 * stays until the new one arrives.
 */
export function useRecords<O extends ConsoleOperation>(
  operation: O,
  filters: InputOf<O>,
  page: PageRequest | undefined,
  { enabled = true, staleTime, refreshMs }: RecordsOptions<O> = {},
): UseQueryResult<DataOf<O>> {
  const { client, projectId } = useClient(operation)
  const queryClient = useQueryClient()
  const inputOf = (pageNumber: number): object => {
    const selection =
      page === undefined ? {} : { orderBy: page.orderBy, pageSize: DEFAULT_PAGE_SIZE, pageNumber }
    return Object.assign({}, filters, selection)
  }
  const keyOf = (pageNumber: number) => getReadKey(projectId, operation, inputOf(pageNumber))
  const { pageNumber = 1 } = page ?? {}
  return useQuery<DataOf<O>>({
    queryKey: keyOf(pageNumber),
    queryFn: async ({ signal }) => {
      const previous =
        pageNumber > 1 ? queryClient.getQueryData<Page<unknown>>(keyOf(pageNumber - 1)) : undefined
      const next = previous?.paras.next
      const cursor = typeof next === 'string' ? { cursor: next } : {}
      // The fields that select a page belong to the input of a list.
      const input = { ...inputOf(pageNumber), ...cursor } as InputOf<O>
      return await callOperation(client, operation, input, { signal })
    },
    enabled,
    placeholderData: (previousData, previousQuery) =>
      isSameList(previousQuery?.queryKey, keyOf(pageNumber)) ? keepPreviousData(previousData) : undefined,
    ...(staleTime !== undefined && { staleTime }),
    refetchInterval: ({ state: { data } }) => (data !== undefined && refreshMs?.(data)) || false,
  })
}

/** Whether two keys are of the same operation in the same project, whatever their filters. */
function isSameList(one: QueryKey | undefined, other: QueryKey): boolean {
  return one !== undefined && one.slice(0, 3).join() === other.slice(0, 3).join()
}
