import {
  type Command,
  createServerLog,
  formatSettings,
  onShutdown,
  openStorage,
  readEnvironment,
} from '@mintmark/server-kit'
import { facilitatorSchema } from '../database/schema.ts'
import { startFacilitator } from '../server.ts'
import { facilitatorSettings } from '../settings.ts'
import { migrateJobs } from '../webhooks/index.ts'
import { accountCommands } from './accounts.ts'
import { depositCommands } from './deposits.ts'
import { doctorCommands } from './doctor.ts'
import { keyCommands } from './keys.ts'
import { sessionCommands } from './sessions.ts'
import { settlementCommands } from './settlements.ts'
import { signerCommands } from './signers.ts'
import { transactionCommands } from './transactions.ts'

/** Every command of `mintmark-facilitator`, by name. */
export const facilitatorCommands: Record<string, Command> = {
  serve: {
    summary: 'Serves the facilitator on FACILITATOR_PORT (4001) until it receives SIGTERM or SIGINT.',
    async run() {
      const env = readEnvironment()
      const log = createServerLog('facilitator', env)
      const facilitator = await startFacilitator(env, log)
      onShutdown(log, () => facilitator.shutdown())
    },
  },
  migrate: {
    summary: 'Migrates the schema of DATABASE_URL.',
    async run() {
      const options = { migrate: true, migrateMore: migrateJobs }
      await openStorage(readEnvironment(), facilitatorSchema, options)
      console.log('The schema is up to date.')
    },
  },
  settings: {
    summary: 'Lists every setting with its default and meaning.',
    run: async () => console.log(formatSettings(facilitatorSettings)),
  },
  ...doctorCommands,
  ...accountCommands,
  ...keyCommands,
  ...settlementCommands,
  ...depositCommands,
  ...transactionCommands,
  ...signerCommands,
  ...sessionCommands,
}
