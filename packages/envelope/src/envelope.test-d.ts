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

/* A caught value that is one of ours is one of the union; its kind tells what else it holds. */
function told(error: unknown): unknown {
  // @ts-expect-error nothing is known of it yet
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
    // @ts-expect-error a kind that there is not
    case 'Gone':
      return undefined
    default:
      // @ts-expect-error only some tell when they were sent
      return error.sentAt
  }
}

/* Kinds are literals, all of them known. */
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
// @ts-expect-error which operation?
new NotFoundError('', {})
// @ts-expect-error when was it sent?
new UnknownOutcomeError('', { operation: '' })

/* A record is closed in type, and what it is made of decides what it holds. */
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

export { told, wrong }
