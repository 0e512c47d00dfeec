import { isMintmarkError } from '@mintmark/envelope'
import type { CallOptions, DataOf, GatewayClient, InputOf, OperationShape } from '@mintmark/operation'
import {
  keepPreviousData,
  type QueryKey,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useRef } from 'react'
import { useProjectGateway } from '../session/project-context.tsx'
import { invalidateAfterWrite } from './invalidation.ts'

/** An operation of the gateway, with its types. */
export type GatewayOperation = OperationShape & {
  readonly service: 'gateway'
  readonly '~types'?: { input: unknown; data: unknown; errors: unknown }
}

/** Returns the key of a read in the cache. `invalidation.ts` finds reads by it. */
export function getReadKey(
  projectId: number | undefined,
  operation: OperationShape,
  input: unknown,
): QueryKey {
  return ['operation', projectId ?? null, operation.id, input ?? {}]
}

/** Calls an operation and returns its data. */
export async function callOperation<O extends GatewayOperation>(
  gateway: GatewayClient,
  operation: O,
  input: InputOf<O>,
  options?: CallOptions,
): Promise<DataOf<O>> {
  const { data } = await gateway.call(operation, input, options)
  // The client has checked the data against the operation's schema.
  return data as DataOf<O>
}

interface ReadOptions {
  /** Whether to read at present. Default: yes. */
  readonly enabled?: boolean
  /** Whether to show the data of the previous input until the new data arrives, such as between the pages of a list. Default: no. */
  readonly keepPrevious?: boolean
  /** Milliseconds for which the data counts as current. Default: a minute. */
  readonly staleTime?: number
}

/**
 * Reads an operation of the open project, or of no project outside of one.
 *
 * @example const { data, error } = useOperation(orders.get, { orderNo })
 */
export function useOperation<O extends GatewayOperation>(
  operation: O,
  input: InputOf<O>,
  { enabled = true, keepPrevious = false, staleTime }: ReadOptions = {},
): UseQueryResult<DataOf<O>> {
  const { gateway, projectId } = useProjectGateway()
  return useQuery({
    queryKey: getReadKey(projectId, operation, input),
    queryFn: ({ signal }) => callOperation(gateway, operation, input, { signal }),
    enabled,
    ...(staleTime !== undefined && { staleTime }),
    ...(keepPrevious && { placeholderData: keepPreviousData }),
  })
}

/** The last call of a write that has no known outcome. */
interface PendingWrite {
  readonly input: string
  readonly key: string
}

/**
 * Calls an operation that changes something, and refreshes what it changed. A call whose outcome is unknown keeps its idempotency key, so
 * that trying again with the same input does not do it twice.
 *
 * @example const cancel = useWrite(orders.cancel); cancel.mutate({ orderNo })
 */
export function useWrite<O extends GatewayOperation>(
  operation: O,
): UseMutationResult<DataOf<O>, Error, InputOf<O>> {
  const { gateway, projectId } = useProjectGateway()
  const queryClient = useQueryClient()
  const pending = useRef<PendingWrite | undefined>(undefined)
  return useMutation({
    mutationFn: async (input: InputOf<O>) => {
      const text = JSON.stringify(input)
      if (pending.current?.input !== text) pending.current = { input: text, key: crypto.randomUUID() }
      return await callOperation(gateway, operation, input, { idempotencyKey: pending.current.key })
    },
    onSettled: (_data, error) => {
      if (error !== null && isMintmarkError(error) && isUndecided(error.kind)) return
      pending.current = undefined
    },
    // Not awaited: what the call returned is shown at once, also by a component that the refreshed page no longer has.
    onSuccess: () => void invalidateAfterWrite(queryClient, projectId, operation),
  })
}

/** Whether a call that ended in an error of this kind may have taken effect. */
function isUndecided(kind: string): boolean {
  return ['UnknownOutcome', 'Network', 'Timeout', 'Server'].includes(kind)
}
