import { createImplement, type FieldLimits, NAME_FORMAT } from '@mintmark/server-kit'
import type { Kysely } from 'kysely'
import type { Tables } from '../../database/tables.ts'
import type { Enqueue } from '../../events/record-event.ts'
import { MAX_BATCH_DELAY_MS } from '../../ledger/accounts/accounts.ts'
import type { GaugeParts } from '../../operations/gauges.ts'
import type { LedgerChecker } from '../../operations/ledger-checker.ts'
import type { HealthReader } from '../../operations/read-health.ts'

/** What operators see and decide. */
export interface OperatorPort extends Pick<GaugeParts, 'config' | 'payments'> {
  readonly db: Kysely<Tables>
  /** Connections of the schema's owner, who may read and end sessions of the database. */
  readonly owner: Kysely<Tables>
  readonly enqueue: Enqueue | undefined
  readonly checkLedger: LedgerChecker
  readonly readHealth: HealthReader
}

/** The context of a handler of the operator interface. */
export interface OperatorContext<Port = OperatorPort> {
  readonly port: Port
  /** Who makes the change. `''` for a read. */
  readonly actor: string
  /** The caller's Idempotency-Key. A repeated change with the same key has no second effect. */
  readonly idempotencyKey: string | undefined
}

const MAX_GRACE_SECONDS = 30 * 24 * 3600
const MAX_MINUTES = 1_000_000

const operatorLimits: FieldLimits = {
  batchDelayMs: { min: 0, max: MAX_BATCH_DELAY_MS, integer: true },
  graceSeconds: { min: 0, max: MAX_GRACE_SECONDS, integer: true },
  minutes: { min: 0, max: MAX_MINUTES, integer: true },
  name: { characters: 200, format: NAME_FORMAT },
  orderNo: { characters: 128 },
  payer: { characters: 44 },
  reason: { characters: 1000, format: NAME_FORMAT },
  search: { characters: 200 },
  size: { min: 1, max: 100, integer: true },
  subject: { characters: 200 },
  transaction: { characters: 88 },
}

/** Creates `implement` for handlers that need a part of the port, so that commands can call them. */
export const createOperatorImplement = <Context>() => createImplement<Context>(operatorLimits)

export const implement = createOperatorImplement<OperatorContext>()

/** The items of a list if a call names no number. */
export const DEFAULT_LIST_SIZE = 20
