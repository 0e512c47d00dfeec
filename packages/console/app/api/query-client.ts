import { isMintmarkError } from '@mintmark/envelope'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'

/** The key of the query of who is signed in. */
export const SESSION_KEY = ['session'] as const

/**
 * Creates the cache of everything that was read. Events and a person's own changes refresh it, so nothing is
 * read at intervals.
 */
export function createQueryClient(): QueryClient {
  // Whatever call finds that the session has ended, the page leads to the sign-in.
  const onError = (error: Error) => {
    if (isMintmarkError(error) && error.kind === 'Unauthorized') client.setQueryData(SESSION_KEY, null)
  }
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        onError(error)
        // A page shows what it has of a record that cannot be read at present, but not of one that is gone.
        if (isMintmarkError(error) && error.kind === 'NotFound') query.setState({ data: undefined })
      },
    }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        // The client of the gateway retries what is safe to repeat.
        retry: false,
        staleTime: 60_000,
        // A call without a connection fails with an error that the page shows.
        networkMode: 'always',
        refetchOnReconnect: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  return client
}
