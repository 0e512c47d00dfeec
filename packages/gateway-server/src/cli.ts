#!/usr/bin/env node
import {
  type Command,
  createLog,
  onShutdown,
  openStorage,
  readEnvironment,
  runCommandLine,
} from '@mintmark/server-kit'
import { keyCommands } from './commands/keys.ts'
import { orderCommands } from './commands/orders.ts'
import { gatewaySchema, startGateway } from './server.ts'
import { version } from './version.ts'

const commands: Record<string, Command> = {
  serve: {
    summary: 'Serves the gateway on GATEWAY_PORT (4000) until it receives SIGINT or SIGTERM.',
    async run() {
      const env = readEnvironment()
      const log = createLog('gateway', env.text('LOG_LEVEL'))
      const gateway = await startGateway(env, log)
      onShutdown(log, () => gateway.close())
    },
  },
  migrate: {
    summary: 'Migrates the schema of DATABASE_URL.',
    async run() {
      await (await openStorage(readEnvironment(), gatewaySchema, { migrate: true })).close()
      console.log('The schema is up to date.')
    },
  },
  ...keyCommands,
  ...orderCommands,
}

await runCommandLine({ program: 'mintmark-gateway', version }, commands)
