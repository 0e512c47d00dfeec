import { isMintmarkError } from '@mintmark/envelope'
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import type { GatewayOperation } from '../../api/console-operation.ts'
import { invalidateAfterWrite } from '../../api/invalidation.ts'
import { useWriteKeys } from '../../api/operations.ts'
import { useProjectGateway } from '../../session/project-context.tsx'

/** How a call ended. */
export interface CallOutcome {
  /** 0 without a response. */
  readonly status: number
  readonly durationMs: number
  readonly requestId: string | undefined
  /** The data of a call that succeeded. */
  readonly data?: unknown
  /** The error of a call that failed. */
  readonly error?: unknown
}

/** Calls any operation with the session, and measures it. A call that fails is an outcome too. */
export function useCall(
  operation: GatewayOperation,
): UseMutationResult<CallOutcome, Error, Readonly<Record<string, unknown>>> {
  const { gateway, projectId } = useProjectGateway()
  const client = useQueryClient()
  const keys = useWriteKeys(projectId, operation)
  return useMutation({
    mutationFn: async (input: Readonly<Record<string, unknown>>): Promise<CallOutcome> => {
      const started = performance.now()
      const measure = () => Math.round(performance.now() - started)
      try {
        const { data, status, requestId } = await gateway.call(operation, input, {
          retries: 0,
          ...(operation.effect === 'write' && { idempotencyKey: keys.take(input) }),
        })
        return { status, durationMs: measure(), requestId, data }
      } catch (error) {
        if (!isMintmarkError(error)) throw error
        return { status: error.status ?? 0, durationMs: measure(), requestId: error.requestId, error }
      }
    },
    onSuccess: async ({ error }) => {
      keys.settle(error)
      const hasChanged = operation.effect === 'write' && error === undefined
      if (hasChanged) await invalidateAfterWrite(client, projectId, operation)
    },
  })
}
