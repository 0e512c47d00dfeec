import { type Session, session } from '@mintmark/admin'
import { isMintmarkError } from '@mintmark/envelope'
import { queryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { getGateway } from '../api/gateway.ts'
import { SESSION_KEY } from '../api/query-client.ts'

/** Reads who is signed in; null if nobody is. */
export const sessionQuery = queryOptions({
  queryKey: SESSION_KEY,
  queryFn: async ({ signal }): Promise<Session | null> => {
    try {
      return await session.get(getGateway(), {}, { signal })
    } catch (error) {
      if (isMintmarkError(error) && error.kind === 'Unauthorized') return null
      throw error
    }
  },
})

/** Returns the query of who is signed in. */
export function useSessionQuery(): UseQueryResult<Session | null> {
  return useQuery(sessionQuery)
}
