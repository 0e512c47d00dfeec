import type { OperationShape } from './types.ts'

/**
 * Whether the server returns its first response to a write that repeats an Idempotency-Key, so that the write
 * can be sent again.
 */
export function keepsIdempotencyKey(operation: OperationShape): boolean {
  return operation.effect === 'write' && operation.method === 'POST' && !operation.ignoresIdempotencyKey
}
