import {
  ConfigurationError,
  createLog,
  environment,
  openDatabase,
  openStorage,
  type Sealer,
  withoutAddress,
} from '@mintmark/server-kit'
import type { Kysely } from 'kysely'
import { type Account, getAccount, type Operator, PayerHasAccount } from '../ledger/accounts/accounts.ts'
import { NoSuchKey } from '../ledger/accounts/keys.ts'
import { NoSuchAccount } from '../ledger/accounts/no-such-account.ts'
import type { Enqueue } from '../events/record-event.ts'
import { facilitatorSchema } from '../migrations/index.ts'
import type { Tables } from '../tables.ts'
import { createWebhooks, migrateJobs } from '../webhooks/index.ts'

/**
 * Runs a command's work on the database that the environment names. What it does is told to webhooks: `enqueue` puts the jobs in, the server
 * sends them.
 */
export async function withDatabase(
  work: (db: Kysely<Tables>, enqueue: Enqueue, sealer: Sealer) => Promise<void>,
): Promise<void> {
  const storage = await openStorage(environment(), facilitatorSchema, { migrateMore: migrateJobs })
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
    // What a person named is not there, or is there already: their line, not a fault of ours.
    const theirs = [NoSuchAccount, NoSuchKey, PayerHasAccount].some((kind) => error instanceof kind)
    // A terminal is often recorded, and a node's address may hold a key.
    throw theirs && error instanceof Error ? new ConfigurationError(error.message) : withoutAddress(error)
  } finally {
    await webhooks.stop()
    await database.close()
    await storage.close()
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

/** An account by its id or its wallet. */
export async function accountNamed(db: Kysely<Tables>, which: string): Promise<Account> {
  return await getAccount(db, which.startsWith('0x') ? which : integer(which, 'account'))
}

/** Who does something, and why: kept with what is done. */
export function operatorOf({ actor, reason }: Record<string, string | undefined>): Operator {
  if (!actor || !reason) throw new ConfigurationError('--actor and --reason must say who and why')
  return { actor, reason }
}
