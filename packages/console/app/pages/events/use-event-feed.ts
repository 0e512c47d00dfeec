import { events, type GatewayEvent } from '@mintmark/events'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { callOperation, getReadKey } from '../../api/operations.ts'
import {
  type FeedFilter,
  type FeedPage,
  isMatch,
  type ListEvents,
  readNewerEvents,
  readOlderEvents,
} from '../../api/read-feed.ts'
import { useProjectGateway } from '../../session/project-context.tsx'

/** The feed as the page shows it. */
interface EventFeed {
  /** Newest first. Undefined until the first part is read. */
  readonly events: readonly GatewayEvent[] | undefined
  readonly error: Error | null
  readonly isReading: boolean
  /** The place up to which events were read; undefined if all of them were. */
  readonly older: number | undefined
  readOlder(): void
  retry(): void
}

/** Reads the feed of the project from its newest event back, and new events as they happen. */
export function useEventFeed(filter: FeedFilter): EventFeed {
  const { gateway, projectId } = useProjectGateway()
  const mount = useId()
  const history = useInfiniteQuery({
    queryKey: ['event-history', projectId, filter, mount],
    queryFn: ({ pageParam, signal }): Promise<FeedPage> =>
      readOlderEvents((input) => callOperation(gateway, events.list, input, { signal }), filter, pageParam),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ older }) => older,
    // Events never change. What happens later is read by `useNewerEvents`.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
    gcTime: 0,
  })
  const pages = history.data?.pages
  const newer = useNewerEvents(filter, pages?.[0]?.newest)
  return {
    events: pages && [...newer.events, ...pages.flatMap((page) => page.events)],
    error: history.error ?? newer.error,
    isReading: history.isFetching,
    older: pages?.at(-1)?.older,
    readOlder: () => void history.fetchNextPage(),
    retry: () => void (history.error === null ? newer.retry() : history.refetch()),
  }
}

/**
 * Reads the events after a place, and again after each event, because the key of the query is that of the
 * feed.
 */
function useNewerEvents(
  filter: FeedFilter,
  after: number | undefined,
): { readonly events: readonly GatewayEvent[]; readonly error: Error | null; retry(): void } {
  const { gateway, projectId } = useProjectGateway()
  const client = useQueryClient()
  const queryKey = getReadKey(projectId, events.list, { after, types: filter.types, all: true })
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const list: ListEvents = (input) => callOperation(gateway, events.list, input, { signal })
      const read = client.getQueryData<{ events: readonly GatewayEvent[]; next: number }>(queryKey)
      const newer = await readNewerEvents(list, filter, read?.next ?? after ?? 0)
      return { events: [...newer.events.toReversed(), ...(read?.events ?? [])], next: newer.next }
    },
    enabled: after !== undefined,
    gcTime: 0,
  })
  const matching = (data?.events ?? []).filter((event) => isMatch(event, filter.text))
  return { events: matching, error, retry: () => void refetch() }
}
