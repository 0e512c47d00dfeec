import type { CallOptions, Client, DataOf, InputOf, OperationShape, Service } from '@mintmark/operation'
import {
  type QueryKey,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useMemo, useSyncExternalStore } from 'react'
import { useProjectGateway } from '../session/project-context.tsx'
import type { ConsoleOperation } from './console-operation.ts'
import { getFacilitator } from './gateway.ts'
import { invalidateAfterWrite } from './invalidation.ts'
import { getUnfinishedWrites } from './unfinished-writes.ts'
import { createWriteKeys, type WriteKeys } from './write-keys.ts'

/** Returns the key of a read in the cache. `invalidation.ts` finds reads by it. */
export function getReadKey(
  projectId: number | undefined,
  operation: OperationShape,
  input: unknown,
): QueryKey {
  return ['operation', projectId ?? null, operation.id, input ?? {}]
}

/** Calls an operation and returns its data. */
export async function callOperation<O extends ConsoleOperation>(
  client: Client<O['service']>,
  operation: O,
  input: InputOf<O>,
  options?: CallOptions,
): Promise<DataOf<O>> {
  const { data } = await client.call(operation, input, options)
  // The client has checked the data against the operation's schema.
  return data as DataOf<O>
}

/** Returns the client of an operation. Operations of the facilitator belong to no project. */
export function useClient<S extends Service>({
  service,
}: {
  readonly service: S
}): { readonly client: Client<S>; readonly projectId: number | undefined } {
  const { gateway, projectId } = useProjectGateway()
  const isGateway = service === 'gateway'
  return {
    // The client's service is that of the operation.
    client: (isGateway ? gateway : getFacilitator()) as Client<S>,
    projectId: isGateway ? projectId : undefined,
  }
}

interface ReadOptions {
  /** Whether to read at present. Default: yes. */
  readonly enabled?: boolean
  /** Milliseconds for which the data counts as current. Default: a minute. */
  readonly staleTime?: number
}

/**
 * Reads an operation of the open project, or of no project outside of one.
 *
 * @example const { data, error } = useOperation(orders.get, { orderNo })
 */
export function useOperation<O extends ConsoleOperation>(
  operation: O,
  input: InputOf<O>,
  { enabled = true, staleTime }: ReadOptions = {},
): UseQueryResult<DataOf<O>> {
  const { client, projectId } = useClient(operation)
  return useQuery({
    queryKey: getReadKey(projectId, operation, input),
    queryFn: ({ signal }) => callOperation(client, operation, input, { signal }),
    enabled,
    ...(staleTime !== undefined && { staleTime }),
  })
}

/**
 * Calls an operation that changes something, and refreshes what it changed. A call whose outcome is unknown
 * keeps its idempotency key, so that trying again with the same input does not do it twice, also from a form
 * that was closed and opened again, or after the page was reloaded.
 *
 * @example const cancel = useWrite(orders.cancel); cancel.mutate({ orderNo })
 */
export function useWrite<O extends ConsoleOperation>(
  operation: O,
): UseMutationResult<DataOf<O>, Error, InputOf<O>> {
  const { client, projectId } = useClient(operation)
  const queryClient = useQueryClient()
  const keys = useWriteKeys(projectId, operation)
  return useMutation({
    mutationFn: async (input: InputOf<O>) =>
      await callOperation(client, operation, input, { idempotencyKey: keys.take(input) }),
    onSettled: (_data, error) => keys.settle(error),
    // Not awaited: what the call returned is shown at once, also by a component that the refreshed page no
    // longer has.
    onSuccess: () => void invalidateAfterWrite(queryClient, projectId, operation),
  })
}

/** Returns the idempotency keys of a form that calls an operation. */
export function useWriteKeys(projectId: number | undefined, operation: { readonly id: string }): WriteKeys {
  const unfinished = getUnfinishedWrites(useQueryClient(), projectId, operation)
  return useMemo(() => createWriteKeys(unfinished), [unfinished])
}

/**
 * Lists the inputs of the calls of an operation that have ended without an outcome, oldest first. Show them
 * where another call would do the same once more, such as a second payment.
 */
export function useInputsInDoubt<O extends ConsoleOperation>(operation: O): readonly InputOf<O>[] {
  const { projectId } = useClient(operation)
  const { list, subscribe } = getUnfinishedWrites(useQueryClient(), projectId, operation)
  const writes = useSyncExternalStore(subscribe, list, list)
  // Only `useWrite` of this operation adds inputs.
  return writes.filter(({ state }) => state === 'inDoubt').map(({ input }) => input as InputOf<O>)
}
