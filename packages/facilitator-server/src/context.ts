import { implementer } from '@mintmark/server-kit'
import type { Kysely } from 'kysely'
import type { Account } from './authentication.ts'
import { fieldLimits } from './field-limits.ts'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>

/** What a facilitator handler works with. */
export interface FacilitatorContext {
  db: Db
  /** The account behind the key; undefined where an operation is open to all and no key came. */
  account: Account | undefined
  /** The caller's Idempotency-Key; settle alone looks at it. */
  idempotencyKey: string | undefined
  /** Headers of the answer. */
  headers: Headers
  requestId: string
}

export const implement = implementer<FacilitatorContext>(fieldLimits)

/** The account of an operation that authentication lets nobody reach without one. */
export function accountOf(context: FacilitatorContext): Account {
  if (context.account === undefined)
    throw new Error('an operation that needs an account was reached without one')
  return context.account
}
