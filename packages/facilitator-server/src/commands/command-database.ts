import { removeAddress } from '@mintmark/evm-reader'
import {
  ConfigurationError,
  createLog,
  openDatabase,
  openStorage,
  readEnvironment,
  type Sealer,
} from '@mintmark/server-kit'
import type { Kysely } from 'kysely'
import { facilitatorSchema } from '../database/schema.ts'
import type { Tables } from '../database/tables.ts'
import type { Enqueue } from '../events/record-event.ts'
import { getAccount } from '../ledger/accounts/accounts.ts'
import { AccountNotFoundError } from '../ledger/accounts/balance.ts'
import { createWebhooks, migrateJobs } from '../webhooks/index.ts'

/**
 * Runs a command on the configured database. Its events reach the webhooks: `enqueue` adds the jobs, and the
 * server delivers them.
 */
export async function withDatabase(
  work: (db: Kysely<Tables>, enqueue: Enqueue, sealer: Sealer) => Promise<void>,
): Promise<void> {
  const storage = await openStorage(readEnvironment(), facilitatorSchema, { migrateMore: migrateJobs })
  const database = openDatabase<Tables>({
    url: storage.databaseUrl,
    max: 2,
    applicationName: 'mintmark-facilitator-command',
  })
  const webhooks = createWebhooks({
    database,
    sealer: storage.sealer,
    log: createLog('facilitator', 'warn'),
    deliver: false,
  })
  try {
    await webhooks.start()
    await work(database.system, webhooks.enqueue, storage.sealer)
  } catch (error) {
    // Terminals are often recorded, and a node's address may contain a key.
    throw error instanceof AccountNotFoundError ? new ConfigurationError(error.message) : removeAddress(error)
  } finally {
    await webhooks.stop()
    await database.close()
  }
}

/** Prints a command's result as JSON. */
export function print(value: unknown): void {
  console.log(JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? each.toString() : each), 2))
}

export function integer(text: string | undefined, name: string): number {
  if (!/^\d{1,15}$/.test(text ?? '')) throw new ConfigurationError(`${name}: expected an integer`)
  return Number(text)
}

/** Finds the id of an account that a command names by its id or its wallet. @throws AccountNotFoundError */
export async function findAccountId(db: Kysely<Tables>, which: string): Promise<number> {
  const { id } = await getAccount(db, which.startsWith('0x') ? which : integer(which, 'account'))
  return id
}
