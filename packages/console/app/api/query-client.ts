import { isMintmarkError } from '@mintmark/envelope'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { AuthError } from '../errors/auth-error.ts'

/** The key of the query of who is signed in. */
export const SESSION_KEY = ['session'] as const

/** How long what was read counts as current. */
export const STALE_MS = 60_000

/**
 * Reads who is signed in again after a call was refused because nobody is. The refused call may be older than
 * a new sign-in, so that its error alone does not mean that the session has ended.
 */
export async function checkSession(client: QueryClient, error: unknown): Promise<void> {
  const isRefused = isMintmarkError(error)
    ? error.kind === 'Unauthorized'
    : error instanceof AuthError && error.status === 401
  if (isRefused) await client.refetchQueries({ queryKey: SESSION_KEY }, { cancelRefetch: false })
}

/**
 * Creates the cache of everything that was read. Events and a person's own changes refresh it, so nothing is
 * read at intervals.
 */
export function createQueryClient(): QueryClient {
  // Whatever call finds that the session has ended, the console shows the sign-in.
  const onError = (error: Error) => void checkSession(client, error)
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
        staleTime: STALE_MS,
        // A call without a connection fails with an error that the page shows.
        networkMode: 'always',
        refetchOnReconnect: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  return client
}

/** Returns the query of a component whose script is loaded once, when it is needed. */
export const toScriptQuery = <Component>(name: string, load: () => Promise<Component>) =>
  ({
    queryKey: ['script', name],
    queryFn: load,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    retry: false,
    // A component is no data to compare.
    structuralSharing: false,
  }) as const
