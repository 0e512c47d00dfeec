import {
  ConfigurationError,
  createSessionCommands,
  openDatabase,
  openStorage,
  readEnvironment,
} from '@mintmark/server-kit'
import type { Kysely } from 'kysely'
import { facilitatorSchema } from '../database/schema.ts'
import type { Tables } from '../database/tables.ts'
import { endSession } from '../http/operator/end-session.ts'
import { ACTOR_EXPECTED, isActor } from '../http/operator/operator-access.ts'

/** Commands for sessions of the database that block others. */
export const sessionCommands = createSessionCommands<Kysely<Tables>>({
  withDatabase: withOwner,
  async endSession(db, identity, actor) {
    if (!isActor(actor)) throw new ConfigurationError(`--actor: ${ACTOR_EXPECTED}`)
    return await endSession(db, identity, { actor })
  },
})

/**
 * Runs work on the configured database as the schema's owner. It starts no queue of webhooks, which could
 * wait for the lock.
 */
async function withOwner(work: (db: Kysely<Tables>) => Promise<void>): Promise<void> {
  const storage = await openStorage(readEnvironment(), facilitatorSchema, { acceptsAnySchema: true })
  const url = storage.databaseUrl
  const database = openDatabase<Tables>({ url, max: 1, applicationName: 'mintmark-facilitator-sessions' })
  try {
    await work(database.system)
  } finally {
    await database.close()
  }
}
