import type { Entries } from '@mintmark/envelope'
import type { OperationShape } from '@mintmark/operation'
import type * as v from 'valibot'
import { toParts } from '../schema-parts.ts'

/** The field of a batch operation that has the rows. */
export interface BatchField {
  readonly name: string
  /** The schema of a row. */
  readonly item: v.GenericSchema
  readonly entries: Entries
}

/** Finds the list of records in the body of a batch operation, such as `cards` of `createBatch`. */
export function findBatchField({ id, body = {} }: OperationShape): BatchField | undefined {
  // Other lists replace what is stored, so that they cannot be sent in parts.
  if (!id.endsWith('Batch')) return undefined
  for (const [name, schema] of Object.entries(body)) {
    const { item } = toParts(schema)
    const { entries } = item === undefined ? {} : toParts(item)
    if (item !== undefined && entries !== undefined) return { name, item, entries }
  }
  return undefined
}

/**
 * Whether a file can be imported with an operation. The gateway executes a POST once for each
 * Idempotency-Key; other writes could be repeated after a crash.
 */
export function isImportable({ service, method, effect, body }: OperationShape): boolean {
  return service === 'gateway' && method === 'POST' && effect === 'write' && body !== undefined
}
