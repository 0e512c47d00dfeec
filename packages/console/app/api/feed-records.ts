import { isMintmarkError } from '@mintmark/envelope'
import { events, type GatewayEvent } from '@mintmark/events'
import type { GatewayClient } from '@mintmark/operation'
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useProjectGateway } from '../session/project-context.tsx'

const BATCH_SIZE = 500
/** A busy project may have more events of a type than a page can wait for. */
const MAX_BATCHES = 40

/** The newest event of each subject, and where reading continues. */
export interface FeedRecords {
  /** Newest first. */
  readonly list: readonly GatewayEvent[]
  readonly next: number | undefined
  /** Whether the feed has more events than were read. */
  readonly hasMore: boolean
}

interface FeedRequest {
  /** The group of operations whose changes refresh the records, such as `auctions`. */
  readonly group: string
  /** The types of events whose data is the record, as in `events.list`. */
  readonly types: string
}

/**
 * Reads records of which the gateway has no list from the events about them: the newest event of a subject
 * contains its present state. Events are kept for a limited time, 30 days by default, so what did not change
 * for so long is missing. A change reads only the events after the last one.
 */
export function useFeedRecords({ group, types }: FeedRequest): UseQueryResult<FeedRecords> {
  const { gateway, projectId } = useProjectGateway()
  const client = useQueryClient()
  // The form of a key of `getReadKey`, so that `invalidation.ts` refreshes it like a list of the group.
  const queryKey = ['operation', projectId ?? null, `${group}.feed`, { types }]
  return useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const known = client.getQueryData<FeedRecords>(queryKey)
      try {
        return await readFeed(gateway, { types, known, signal })
      } catch (error) {
        if (!isMintmarkError(error) || error.reason !== 'EVENTS_EXPIRED') throw error
        return await readFeed(gateway, { types, known: undefined, signal })
      }
    },
  })
}

interface FeedReading {
  readonly types: string
  readonly known: FeedRecords | undefined
  readonly signal: AbortSignal
}

async function readFeed(gateway: GatewayClient, { types, known, signal }: FeedReading): Promise<FeedRecords> {
  let list = known?.list ?? []
  let after = known?.next
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const input = { types, limit: BATCH_SIZE, ...(after !== undefined && { after }) }
    const { events: found, next, hasMore } = await events.list(gateway, input, { signal })
    list = mergeEvents(list, found)
    after = next
    if (!hasMore) return { list, next, hasMore }
  }
  return { list, next: after, hasMore: true }
}

/** Replaces the events of subjects by newer ones. Newest first. */
export function mergeEvents(
  known: readonly GatewayEvent[],
  found: readonly GatewayEvent[],
): readonly GatewayEvent[] {
  const bySubject = new Map(known.map((event) => [event.subject, event]))
  for (const event of found) {
    const previous = bySubject.get(event.subject)
    if (previous === undefined || previous.sequence < event.sequence) bySubject.set(event.subject, event)
  }
  return [...bySubject.values()].sort((one, other) => other.sequence - one.sequence)
}
