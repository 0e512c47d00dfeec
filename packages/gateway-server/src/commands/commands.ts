import {
  type Command,
  createServerLog,
  formatSettings,
  onShutdown,
  readEnvironment,
  runAs,
  SERVER_ACTOR,
} from '@mintmark/server-kit'
import { createPartitions, PARTITIONED_TABLES } from '../database/partitions.ts'
import { startGateway } from '../main/server.ts'
import { gatewaySettings } from '../main/settings.ts'
import { auditCommands } from './audit.ts'
import { withDatabase } from './command-database.ts'
import { doctorCommands } from './doctor.ts'
import { eventCommands } from './events.ts'
import { keyCommands } from './keys.ts'
import { mintCommands } from './mints.ts'
import { orderCommands } from './orders.ts'
import { peopleCommands } from './people.ts'
import { projectCommands } from './projects.ts'
import { sessionCommands } from './sessions.ts'

/** Every command of `mintmark-gateway`, by name. */
export const gatewayCommands: Record<string, Command> = {
  serve: {
    summary: 'Serves the gateway on GATEWAY_PORT (4000) until it receives SIGINT or SIGTERM.',
    async run() {
      const env = readEnvironment()
      const log = createServerLog('gateway', env)
      const gateway = await runAs(SERVER_ACTOR, () => startGateway(env, log))
      onShutdown(log, () => gateway.shutdown())
    },
  },
  migrate: {
    summary: 'Migrates the schema of DATABASE_URL.',
    async run() {
      const work: Parameters<typeof withDatabase>[1] = async (_db, _sealer, pool) => {
        for (const table of PARTITIONED_TABLES) await createPartitions(pool, table)
      }
      await withDatabase('migrate', work, { migrate: true })
      console.log('The schema is up to date.')
    },
  },
  settings: {
    summary: 'Lists every setting with its default and meaning.',
    run: async () => console.log(formatSettings(gatewaySettings)),
  },
  ...doctorCommands,
  ...keyCommands,
  ...peopleCommands,
  ...projectCommands,
  ...orderCommands,
  ...mintCommands,
  ...eventCommands,
  ...sessionCommands,
  ...auditCommands,
}
