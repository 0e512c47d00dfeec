import { type Session, session } from '@mintmark/admin'
import { isMintmarkError } from '@mintmark/envelope'
import { type QueryClient, queryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { getGateway } from '../api/gateway.ts'
import { SESSION_KEY } from '../api/query-client.ts'

/** Reads who is signed in; null if nobody is. */
export const sessionQuery = queryOptions({
  queryKey: SESSION_KEY,
  queryFn: async ({ client, signal }): Promise<Session | null> => {
    try {
      const found = await session.get(getGateway(), {}, { signal })
      forgetOtherPerson(client, found)
      return found
    } catch (error) {
      if (isMintmarkError(error) && error.kind === 'Unauthorized') return null
      throw error
    }
  },
})

/** The first words of the keys of what needs no session. */
const READ_BY_ANYBODY: readonly unknown[] = [...SESSION_KEY, 'invitation', 'script']

/**
 * Forgets what was read before, unless the same person was signed in: a session can end in this tab, and
 * another person can sign in here or in another tab. What a page shows is read again.
 */
function forgetOtherPerson(client: QueryClient, { personId }: Session): void {
  const previous = client.getQueryData<Session | null>(SESSION_KEY)
  if (previous === undefined || previous?.personId === personId) return
  void client.resetQueries({ predicate: ({ queryKey }) => !READ_BY_ANYBODY.includes(queryKey[0]) })
}

/** Returns the query of who is signed in. */
export function useSessionQuery(): UseQueryResult<Session | null> {
  return useQuery(sessionQuery)
}
