#!/usr/bin/env node
import {
  type Command,
  createLog,
  onShutdown,
  openStorage,
  readEnvironment,
  runCommandLine,
} from '@mintmark/server-kit'
import { accountCommands } from './commands/accounts.ts'
import { settlementCommands } from './commands/settlements.ts'
import { facilitatorSchema } from './migrations/index.ts'
import { startFacilitator } from './server.ts'
import { version } from './version.ts'
import { migrateJobs } from './webhooks/index.ts'

const commands: Record<string, Command> = {
  serve: {
    summary: 'Serves the facilitator on FACILITATOR_PORT (4001) until it receives SIGTERM or SIGINT.',
    async run() {
      const env = readEnvironment()
      const log = createLog('facilitator', env.text('LOG_LEVEL'))
      const facilitator = await startFacilitator(env, log)
      onShutdown(log, () => facilitator.close())
    },
  },
  migrate: {
    summary: 'Migrates the schema of DATABASE_URL.',
    async run() {
      await (
        await openStorage(readEnvironment(), facilitatorSchema, { migrate: true, migrateMore: migrateJobs })
      ).close()
      console.log('The schema is up to date.')
    },
  },
  ...accountCommands,
  ...settlementCommands,
}

await runCommandLine({ program: 'mintmark-facilitator', version }, commands)
