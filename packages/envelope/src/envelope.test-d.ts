import {
  type AnyMintmarkError,
  type ConflictError,
  type Empty,
  type Envelope,
  Id,
  isMintmarkError,
  type MintmarkError,
  NotFoundError,
  type Page,
  page,
  record,
  type Schema,
  Text,
  UnknownOutcomeError,
} from '@mintmark/envelope'
import * as v from 'valibot'
import { expectTypeOf } from 'vitest'

/* A caught error of Mintmark is a member of the union. Its kind determines its fields. */
function readError(error: unknown): unknown {
  // @ts-expect-error the value is unknown until it is checked
  error.kind
  if (!isMintmarkError(error)) return error
  expectTypeOf(error).toEqualTypeOf<AnyMintmarkError>()
  expectTypeOf(error.operation).toEqualTypeOf<string>()
  expectTypeOf(error.status).toEqualTypeOf<number | undefined>()
  expectTypeOf(error.retryable).toEqualTypeOf<boolean>()
  switch (error.kind) {
    case 'InvalidInput':
      expectTypeOf(error.issues).toEqualTypeOf<readonly { path: string; message: string }[]>()
      return error.issues
    case 'RateLimited':
      expectTypeOf(error.retryAfter).toEqualTypeOf<number | undefined>()
      return error.retryAfter
    case 'UnknownOutcome':
      expectTypeOf(error.sentAt).toEqualTypeOf<number>()
      return error.sentAt
    case 'UnexpectedResponse':
      expectTypeOf(error.received).toEqualTypeOf<unknown>()
      expectTypeOf(error.accepted).toEqualTypeOf<boolean>()
      return error.field
    // @ts-expect-error a kind that does not exist
    case 'Gone':
      return undefined
    default:
      // @ts-expect-error only an unknown outcome has the time of sending
      return error.sentAt
  }
}

/* The union of kinds is complete. */
expectTypeOf<AnyMintmarkError['kind']>().toEqualTypeOf<
  | 'InvalidInput'
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'Conflict'
  | 'InsufficientBalance'
  | 'RateLimited'
  | 'Refused'
  | 'Server'
  | 'Timeout'
  | 'Network'
  | 'UnknownOutcome'
  | 'UnexpectedResponse'
>()
expectTypeOf(NotFoundError.kind).toEqualTypeOf<'NotFound'>()
expectTypeOf<typeof NotFoundError>().not.toEqualTypeOf<typeof ConflictError>()
expectTypeOf(new NotFoundError('', { operation: '' })).toExtend<MintmarkError>()
// @ts-expect-error the operation is required
new NotFoundError('', {})
// @ts-expect-error the time of sending is required
new UnknownOutcomeError('', { operation: '' })

/* The type of a record is closed and follows from its fields. */
const print = record({ id: Id, title: Text, edition: v.optional(v.number()) })
expectTypeOf<v.InferOutput<typeof print>>().toEqualTypeOf<{
  id: number
  title: string
  edition?: number | undefined
}>()
// @ts-expect-error a field of another type
const wrong: Schema<{ id: string; title: string; edition?: number | undefined }> = print
expectTypeOf(page(print as Schema<v.InferOutput<typeof print>>)).toEqualTypeOf<
  Schema<Page<v.InferOutput<typeof print>>>
>()

/* The wire's objects. */
expectTypeOf<Envelope<string>>().toEqualTypeOf<{
  code: number
  data: string
  msg: string
  success: boolean
}>()
expectTypeOf<Page<{ id: number }>['list']>().toEqualTypeOf<{ id: number }[]>()
expectTypeOf<{ a: 1 }>().not.toExtend<Empty>()

export { readError, wrong }
