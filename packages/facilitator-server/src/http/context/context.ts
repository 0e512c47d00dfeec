import { createImplement } from '@mintmark/server-kit'
import type { Kysely } from 'kysely'
import type { Tables } from '../../database/tables.ts'
import type { Account } from './authentication.ts'
import { fieldLimits } from './field-limits.ts'

export type Db = Kysely<Tables>

/** The context of a facilitator handler. */
export interface FacilitatorContext {
  db: Db
  /** The account of the key. Undefined if the operation requires no key and the request has none. */
  account: Account | undefined
  /** Where the call came from. Undefined for an application that is called without a server. */
  remoteAddress: string | undefined
  /** The caller's Idempotency-Key. Only settle uses it. */
  idempotencyKey: string | undefined
  /** Whether the caller asks for the successes of payments with an identifier again. */
  repeatsSuccess: boolean
  /** Headers of the response. */
  headers: Headers
  requestId: string
  /**
   * Adds a listener that runs if the caller receives nothing of what the handler returns: the call ends in an
   * error, or the connection ends before a byte of the response was written.
   */
  onUndelivered(listener: () => void): void
  /** Returns the signal that is aborted when the caller disconnects before its response was sent. */
  getSignal(): AbortSignal
}

export const implement = createImplement<FacilitatorContext>(fieldLimits)

/** Returns the account of an operation that requires a key. */
export function requireAccount(context: FacilitatorContext): Account {
  if (context.account === undefined)
    throw new Error('An operation that requires an account was called without one')
  return context.account
}
