import { type Session, session } from '@mintmark/admin'
import { isMintmarkError } from '@mintmark/envelope'
import {
  type Query,
  type QueryClient,
  queryOptions,
  type UseQueryResult,
  useQuery,
} from '@tanstack/react-query'
import { getGateway } from '../api/gateway.ts'
import { SESSION_KEY, STALE_MS } from '../api/query-client.ts'

/**
 * A session in the cache. After its end it is still there, so that its person can sign in again and continue.
 * A sign-out removes it.
 */
export type CachedSession = Session & { readonly hasEnded?: true }

/** Reads who is signed in, or was until the session ended; null if nobody is. */
export const sessionQuery = queryOptions({
  queryKey: SESSION_KEY,
  queryFn: async ({ client, signal }): Promise<CachedSession | null> => {
    try {
      const found = await session.get(getGateway(), {}, { signal })
      updateReads(client, found)
      return found
    } catch (error) {
      if (isMintmarkError(error) && error.kind === 'Unauthorized') return getEndedSession(client)
      throw error
    }
  },
  // The person may have signed in again in another tab.
  staleTime: ({ state }) => (state.data?.hasEnded === true ? 0 : STALE_MS),
})

const getCachedSession = (client: QueryClient) => client.getQueryData<CachedSession | null>(SESSION_KEY)

/** Returns the session that was open until now as one that has ended; null without one. */
function getEndedSession(client: QueryClient): CachedSession | null {
  const previous = getCachedSession(client)
  return previous === undefined || previous === null ? null : { ...previous, hasEnded: true }
}

/** The first words of the keys of what needs no session. */
const READ_BY_ANYBODY: readonly unknown[] = [...SESSION_KEY, 'invitation', 'script']

/**
 * Forgets what was read before, unless the same person was signed in: a session can end in this tab, and
 * another person can sign in here or in another tab. What a page shows is read again, also for a person who
 * continues after the end of a session: reads have failed since, and events were missed.
 */
function updateReads(client: QueryClient, { personId }: Session): void {
  const previous = getCachedSession(client)
  const needsSession = { predicate: ({ queryKey }: Query) => !READ_BY_ANYBODY.includes(queryKey[0]) }
  if (previous === undefined) return
  if (previous?.personId !== personId) void client.resetQueries(needsSession)
  else if (previous.hasEnded === true) void client.invalidateQueries(needsSession)
}

/** Returns the query of who is signed in; null if nobody is. */
export function useSessionQuery(): UseQueryResult<Session | null> {
  return useQuery({ ...sessionQuery, select: (cached) => (cached?.hasEnded === true ? null : cached) })
}

/**
 * Reads the session of a person who has just signed in.
 *
 * @throws MintmarkError if it cannot be read at present.
 */
export async function readNewSession(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: SESSION_KEY }, { throwOnError: true })
}
