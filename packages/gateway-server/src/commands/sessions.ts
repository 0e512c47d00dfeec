import { createSessionCommands } from '@mintmark/server-kit'
import type { Db } from '../database/tables.ts'
import { endSession } from '../operator/end-session.ts'
import { withDatabase } from './command-database.ts'

/** Commands for sessions of the database that block others. The command line records the actor. */
export const sessionCommands = createSessionCommands<Db>({
  withDatabase: (work) => withDatabase('sessions', work, { acceptsAnySchema: true }),
  endSession,
})
