import { createLog, readEnvironment } from '@mintmark/server-kit'
import type { Kysely } from 'kysely'
import { type Configuration, readConfiguration } from '../configuration.ts'
import type { Tables } from '../database/tables.ts'
import type { Enqueue } from '../events/record-event.ts'
import { createPaymentsEngine, type PaymentsEngine } from '../payments-engine.ts'
import { withDatabase } from './command-database.ts'

/** What a command uses of the server. */
export interface EngineParts {
  db: Kysely<Tables>
  payments: PaymentsEngine
  config: Configuration
  enqueue: Enqueue
}

/** Runs a command with the engine and the chains of the server's settings. */
export async function withEngine(work: (parts: EngineParts) => Promise<void>): Promise<void> {
  const config = readConfiguration(readEnvironment())
  await withDatabase(async (db, enqueue) => {
    const payments = createPaymentsEngine(config, db, createLog('facilitator', 'warn'), { enqueue })
    await work({ db, payments, config, enqueue })
    await payments.engine.drain()
  })
}
