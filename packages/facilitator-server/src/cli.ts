#!/usr/bin/env node
import {
  type Command,
  ConfigurationError,
  createLog,
  environment,
  onShutdown,
  openDatabase,
  openStorage,
  runCommandLine,
} from '@mintmark/server-kit'
import type { Kysely } from 'kysely'
import { parseEther } from 'viem'
import { createAccount, creditAccount, getAccount, listAccounts } from './accounts/accounts.ts'
import { createKey, listKeys, revokeKey, rotateKey } from './accounts/keys.ts'
import { facilitatorSchema } from './migrations/index.ts'
import { startFacilitator } from './server.ts'
import type { Tables } from './tables.ts'

async function withDatabase(work: (db: Kysely<Tables>) => Promise<void>): Promise<void> {
  const storage = await openStorage(environment(), facilitatorSchema)
  const database = openDatabase<Tables>({
    url: storage.databaseUrl,
    max: 2,
    applicationName: 'mintmark-facilitator-command',
  })
  try {
    await work(database.system)
  } finally {
    await database.close()
    await storage.close()
  }
}

const print = (value: unknown) =>
  console.log(JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? each.toString() : each), 2))

function integer(text: string | undefined, name: string): number {
  if (!/^\d{1,15}$/.test(text ?? '')) throw new ConfigurationError(`${name}: expected an integer`)
  return Number(text)
}

/** An account by its id or its wallet. */
const accountNamed = (db: Kysely<Tables>, which: string) =>
  getAccount(db, which.startsWith('0x') ? which : integer(which, 'account'))

function operator(options: Record<string, string | undefined>) {
  const { actor, reason } = options
  if (!actor || !reason)
    throw new ConfigurationError('--actor and --reason are required: they are kept with what is done')
  return { actor, reason }
}

const commands: Record<string, Command> = {
  serve: {
    summary: 'Serves the facilitator on FACILITATOR_PORT (4001) until it is told to stop.',
    async run() {
      const env = environment()
      const log = createLog('facilitator', env.text('LOG_LEVEL'))
      const facilitator = await startFacilitator(env, log)
      onShutdown(log, () => facilitator.close())
    },
  },
  migrate: {
    summary: 'Brings the schema of DATABASE_URL up to date.',
    async run() {
      await (await openStorage(environment(), facilitatorSchema, { migrate: true })).close()
      console.log('The schema is up to date.')
    },
  },
  'accounts create': {
    summary: 'Opens an account for a paying wallet.',
    options: { payer: 'address', name: 'text?' },
    run: async ({ options: { payer = '', name = '' } }) => {
      if (!/^0x[0-9a-fA-F]{40}$/.test(payer)) throw new ConfigurationError('--payer: expected an address')
      await withDatabase(async (db) => print(await createAccount(db, { payer, name })))
    },
  },
  'accounts credit': {
    summary: 'Credits an account with an amount of the native token, such as 1.5.',
    arguments: ['account'],
    options: { amount: 'tokens', actor: 'who', reason: 'why' },
    async run({ arguments: [account = ''], options }) {
      if (!/^\d{1,12}(?:\.\d{1,18})?$/.test(options['amount'] ?? ''))
        throw new ConfigurationError('--amount: expected a number such as 1.5')
      const amount = parseEther(options['amount'] ?? '')
      if (amount === 0n) throw new ConfigurationError('--amount: expected more than 0')
      await withDatabase(async (db) =>
        print(
          await creditAccount(db, {
            account: (await accountNamed(db, account)).id,
            amount,
            ...operator(options),
          }),
        ),
      )
    },
  },
  'accounts list': {
    summary: 'Lists the accounts with what they have, in wei.',
    run: async () => await withDatabase(async (db) => print(await listAccounts(db))),
  },
  'keys create': {
    summary: 'Creates a key of an account and prints its token, once.',
    arguments: ['account'],
    options: { name: 'text?' },
    async run({ arguments: [account = ''], options: { name = '' } }) {
      await withDatabase(async (db) =>
        print(await createKey(db, { account: (await accountNamed(db, account)).id, name })),
      )
    },
  },
  'keys list': {
    summary: 'Lists the keys, without their tokens.',
    run: async () => await withDatabase(async (db) => print(await listKeys(db))),
  },
  'keys rotate': {
    summary:
      'Makes a new token for a key and prints it, once; the old one stays good for --grace hours (24).',
    arguments: ['key-id'],
    options: { grace: 'hours?' },
    async run({ arguments: [id], options }) {
      const hours = integer(options['grace'] ?? '24', '--grace')
      await withDatabase(async (db) => print(await rotateKey(db, integer(id, 'key-id'), hours * 3600)))
    },
  },
  'keys revoke': {
    summary: 'Ends a key at once.',
    arguments: ['key-id'],
    async run({ arguments: [id] }) {
      await withDatabase(async (db) => print(await revokeKey(db, integer(id, 'key-id'))))
    },
  },
}

await runCommandLine('mintmark-facilitator', commands)
