#!/usr/bin/env node
import {
  type Command,
  ConfigurationError,
  createLog,
  environment,
  onShutdown,
  openStorage,
  runCommandLine,
  type Sealer,
} from '@mintmark/server-kit'
import { print, withDatabase } from './commands/command-database.ts'
import { minterCommands } from './commands/keys.ts'
import { orderCommands } from './commands/orders.ts'
import type { Db } from './context.ts'
import { findAddressProblem } from './http/address-rules.ts'
import { createKey, listKeys, resealKeys, revokeKey, rotateKey } from './keys/keys-store.ts'
import { resealMinters } from './keys/minters.ts'
import { routes } from './routes.ts'
import { gatewaySchema, startGateway } from './server.ts'
import { version } from './version.ts'

const withKeys = (work: (db: Db, sealer: Sealer) => Promise<void>) => withDatabase('keys', work)

/** The scopes that a key is to have, as the command line gives them. */
function readScopes(text: string): string[] {
  const known = new Set(routes.flatMap(({ operation }) => operation.scope ?? []))
  const scopes = text.split(',').map((scope) => scope.trim())
  const unknown = scopes.find((scope) => !known.has(scope))
  if (unknown !== undefined)
    throw new ConfigurationError(
      `--scopes: there is no scope "${unknown}"; there are ${[...known].sort().join(', ')}`,
    )
  return scopes
}

const commands: Record<string, Command> = {
  serve: {
    summary: 'Serves the gateway on GATEWAY_PORT (4000) until it is told to stop.',
    async run() {
      const env = environment()
      const log = createLog('gateway', env.text('LOG_LEVEL'))
      const gateway = await startGateway(env, log)
      onShutdown(log, () => gateway.close())
    },
  },
  migrate: {
    summary: 'Brings the schema of DATABASE_URL up to date.',
    async run() {
      await (await openStorage(environment(), gatewaySchema, { migrate: true })).close()
      console.log('The schema is up to date.')
    },
  },
  'keys create': {
    summary:
      'Creates a key of a project and prints its secret, once. Scopes: such as cards:read,cards:write; none: all.',
    options: { project: 'name', name: 'what it is for?', wallet: 'address?', scopes: 'list?' },
    async run({ options }) {
      const { project, name = '', wallet, scopes } = options
      const problem = wallet === undefined ? undefined : findAddressProblem(wallet)
      if (problem !== undefined) throw new ConfigurationError(`--wallet: ${problem}`)
      await withKeys(async (db, sealer) => {
        print(
          await createKey(db, sealer, {
            project: project ?? '',
            name,
            wallet,
            scopes: scopes === undefined ? undefined : readScopes(scopes),
          }),
        )
      })
    },
  },
  'keys list': {
    summary: 'Lists the keys, without their secrets.',
    run: async () => await withKeys(async (db) => print(await listKeys(db))),
  },
  'keys rotate': {
    summary: 'Adds a new secret and prints it, once; the old one stays good for --grace hours (24).',
    arguments: ['api-key'],
    options: { grace: 'hours?' },
    async run({ arguments: [apiKey = ''], options }) {
      const hours = Number(options.grace ?? 24)
      if (!(hours >= 0 && hours <= 24 * 365))
        throw new ConfigurationError('--grace: expected hours from 0 to 8760')
      await withKeys(async (db, sealer) =>
        print({ apiKey, secret: await rotateKey(db, sealer, apiKey, hours) }),
      )
    },
  },
  'keys revoke': {
    summary: 'Ends a key at once.',
    arguments: ['api-key'],
    async run({ arguments: [apiKey = ''] }) {
      await withKeys(async (db) => await revokeKey(db, apiKey))
      console.log(`${apiKey} is revoked.`)
    },
  },
  'keys reseal': {
    summary: 'Seals every stored secret under the first of SECRET_KEYS; the others can go then.',
    run: async () =>
      await withKeys(async (db, sealer) => {
        const resealed = (await resealKeys(db, sealer)) + (await resealMinters(db, sealer))
        print({ resealed })
      }),
  },
  ...minterCommands,
  ...orderCommands,
}

await runCommandLine({ program: 'mintmark-gateway', version }, commands)
