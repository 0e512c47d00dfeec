import type { Session } from '@mintmark/admin'
import type { QueryClient } from '@tanstack/react-query'
import * as v from 'valibot'
import { createStore } from '../components/store.ts'
import { SESSION_KEY } from './query-client.ts'

/** A call that was sent and whose outcome is not known. */
export interface UnfinishedWrite {
  readonly input: unknown
  /** Its idempotency key. */
  readonly key: string
  /** `inDoubt`: the call has ended without an outcome. `refused`: it was not accepted, but may be sent again. */
  readonly state: 'running' | 'refused' | 'inDoubt'
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

/**
 * Creates a list of unfinished calls.
 *
 * @param initial The calls that it has at first. Default: none.
 * @param onChange Receives the calls after each change, before the listeners.
 */
export function createUnfinishedWrites(
  initial: readonly UnfinishedWrite[] = [],
  onChange: (writes: readonly UnfinishedWrite[]) => void = () => undefined,
): UnfinishedWrites {
  const writes = createStore(initial)
  const change = (next: readonly UnfinishedWrite[]) => {
    onChange(next)
    writes.set(next)
  }
  const listOthers = (key: string) => writes.get().filter((write) => write.key !== key)
  return {
    list: writes.get,
    find: (input) => writes.get().find((write) => JSON.stringify(write.input) === JSON.stringify(input)),
    put: (write) => change([...listOthers(write.key), write]),
    remove: (key) => change(listOthers(key)),
    subscribe: writes.subscribe,
  }
}

const stores = new WeakMap<QueryClient, Map<string, UnfinishedWrites>>()

/**
 * Returns the unfinished calls of an operation that the person who is signed in has sent in a project. They
 * last until the tab is closed, also if its page is reloaded.
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
  const found = ofClient.get(name) ?? openUnfinishedWrites(`mintmark.unfinished ${name}`)
  ofClient.set(name, found)
  return found
}

const StoredWrites = v.pipe(
  v.string(),
  v.parseJson(),
  v.array(v.object({ input: v.unknown(), key: v.string() })),
)

/** Opens the list with a name in the storage of the tab. */
function openUnfinishedWrites(name: string): UnfinishedWrites {
  const stored = v.safeParse(
    StoredWrites,
    accessStorage((storage) => storage.getItem(name)),
  )
  // A call that was running has lost the page that was to receive its outcome.
  const initial = stored.success
    ? stored.output.map((write) => ({ ...write, state: 'inDoubt' as const }))
    : []
  return createUnfinishedWrites(initial, (writes) => {
    const kept = writes.filter(({ state }) => state !== 'refused').map(({ input, key }) => ({ input, key }))
    accessStorage((storage) =>
      kept.length === 0 ? storage.removeItem(name) : storage.setItem(name, JSON.stringify(kept)),
    )
  })
}

/** Uses the storage of the tab, which is undefined where a browser blocks it or if it is full. */
function accessStorage<Result>(use: (storage: Storage) => Result): Result | undefined {
  try {
    return use(sessionStorage)
  } catch {
    // The calls are known until the page is reloaded.
    return undefined
  }
}
