import { type Session, session } from '@mintmark/admin'
import { isMintmarkError } from '@mintmark/envelope'
import { createSessionGateway } from '@mintmark/transport/browser'
import { queryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { SESSION_KEY } from '../api/query-client.ts'
import { takeFirstSession } from './first-session.ts'

const createClient = () =>
  createSessionGateway({
    baseUrl: location.origin,
    fetch: (url, init) => takeFirstSession() ?? fetch(url, init),
  })

/** Reads who is signed in; null if nobody is. */
export const sessionQuery = queryOptions({
  queryKey: SESSION_KEY,
  queryFn: async ({ signal }): Promise<Session | null> => {
    try {
      return await session.get(createClient(), {}, { signal })
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
