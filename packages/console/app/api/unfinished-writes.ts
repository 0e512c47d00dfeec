import type { Session } from '@mintmark/admin'
import type { QueryClient } from '@tanstack/react-query'
import { SESSION_KEY } from './query-client.ts'

/** A call that was sent and whose outcome is not known. */
export interface UnfinishedWrite {
  readonly input: unknown
  /** Its idempotency key. */
  readonly key: string
  /** Whether the call has ended without an outcome. Otherwise it runs, or it was not accepted. */
  readonly isInDoubt: boolean
}

/** The unfinished calls of one operation. They outlive the form that sent them. */
export interface UnfinishedWrites {
  /** Returns the same array until a call is added, changed or removed. */
  list(): readonly UnfinishedWrite[]
  find(input: unknown): UnfinishedWrite | undefined
  /** Adds a call, or replaces the one with its key. */
  put(write: UnfinishedWrite): void
  remove(key: string): void
  /** Calls `listener` after each change. Returns a function that ends this. */
  subscribe(listener: () => void): () => void
}

export function createUnfinishedWrites(): UnfinishedWrites {
  const listeners = new Set<() => void>()
  let writes: readonly UnfinishedWrite[] = []
  const change = (next: readonly UnfinishedWrite[]) => {
    writes = next
    for (const listener of listeners) listener()
  }
  const listOthers = (key: string) => writes.filter((write) => write.key !== key)
  return {
    list: () => writes,
    find: (input) => writes.find((write) => JSON.stringify(write.input) === JSON.stringify(input)),
    put: (write) => change([...listOthers(write.key), write]),
    remove: (key) => change(listOthers(key)),
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const stores = new WeakMap<QueryClient, Map<string, UnfinishedWrites>>()

/**
 * Returns the unfinished calls of an operation that the person who is signed in has sent in a project. They
 * last as long as the page is loaded.
 */
export function getUnfinishedWrites(
  client: QueryClient,
  projectId: number | undefined,
  operation: { readonly id: string },
): UnfinishedWrites {
  const ofClient = stores.get(client) ?? new Map<string, UnfinishedWrites>()
  stores.set(client, ofClient)
  const session = client.getQueryData<Session | null>(SESSION_KEY)
  const name = JSON.stringify([session?.personId, projectId, operation.id])
  const found = ofClient.get(name) ?? createUnfinishedWrites()
  ofClient.set(name, found)
  return found
}
