import { type Command, ConfigurationError } from '@mintmark/server-kit'
import { WebhookStore } from '@mintmark/server-kit/webhooks'
import { parseEther } from 'viem'
import {
  createAccount,
  creditAccount,
  freezeAccount,
  listAccounts,
  MAX_BATCH_DELAY_MS,
  setBatchDelay,
} from '../ledger/accounts/accounts.ts'
import { createKey, listKeys, revokeKey, rotateKey } from '../ledger/accounts/keys.ts'
import { facilitatorWebhooks } from '../webhooks/schema.ts'
import { findAccountByArgument, integer, print, readOperator, withDatabase } from './command-database.ts'

const OPERATOR_OPTIONS = { actor: 'who', reason: 'why' }

export const accountCommands: Record<string, Command> = {
  'accounts create': {
    summary: 'Creates an account for a paying wallet.',
    options: { payer: 'address', name: 'text?' },
    async run({ options: { payer = '', name = '' } }) {
      if (!/^0x[0-9a-fA-F]{40}$/.test(payer)) throw new ConfigurationError('--payer: expected an address')
      await withDatabase(async (db, enqueue) => print(await createAccount(db, { payer, name }, enqueue)))
    },
  },
  'accounts credit': {
    summary:
      'Credits an account, given by its id or wallet, with an amount of the native token, such as 1.5.',
    arguments: ['account'],
    options: { amount: 'tokens', ...OPERATOR_OPTIONS },
    async run({ arguments: [account = ''], options }) {
      const { amount: text = '' } = options
      if (!/^\d{1,12}(?:\.\d{1,18})?$/.test(text) || parseEther(text) === 0n) {
        throw new ConfigurationError('--amount: expected a number above 0, such as 1.5')
      }
      const operator = readOperator(options)
      await withDatabase(async (db, enqueue) => {
        const { id } = await findAccountByArgument(db, account)
        print(await creditAccount(db, { account: id, amount: parseEther(text), ...operator }, enqueue))
      })
    },
  },
  'accounts freeze': {
    summary: 'Freezes an account, so that it cannot pay.',
    arguments: ['account'],
    options: OPERATOR_OPTIONS,
    async run({ arguments: [account = ''], options }) {
      const operator = readOperator(options)
      await withDatabase(async (db) =>
        print(await freezeAccount(db, (await findAccountByArgument(db, account)).id, operator)),
      )
    },
  },
  'accounts unfreeze': {
    summary: 'Ends the freeze of an account.',
    arguments: ['account'],
    async run({ arguments: [account = ''] }) {
      await withDatabase(async (db) =>
        print(await freezeAccount(db, (await findAccountByArgument(db, account)).id, undefined)),
      )
    },
  },
  'accounts batch': {
    summary:
      'Sets for how many milliseconds settles of an account may wait for others, to share a transaction. 0: never.',
    arguments: ['account'],
    options: { delay: 'milliseconds' },
    async run({ arguments: [account = ''], options: { delay } }) {
      const milliseconds = integer(delay, '--delay')
      if (milliseconds > MAX_BATCH_DELAY_MS)
        throw new ConfigurationError(`--delay: expected at most ${MAX_BATCH_DELAY_MS}`)
      await withDatabase(async (db) =>
        print(await setBatchDelay(db, (await findAccountByArgument(db, account)).id, milliseconds)),
      )
    },
  },
  'accounts list': {
    summary: 'Lists the accounts with their balances in wei.',
    run: async () => await withDatabase(async (db) => print(await listAccounts(db))),
  },
  'keys create': {
    summary: 'Creates a key of an account and prints its token once.',
    arguments: ['account'],
    options: { name: 'text?' },
    async run({ arguments: [account = ''], options: { name = '' } }) {
      await withDatabase(async (db) =>
        print(await createKey(db, { account: (await findAccountByArgument(db, account)).id, name })),
      )
    },
  },
  'keys list': {
    summary: 'Lists the keys, without their tokens.',
    run: async () => await withDatabase(async (db) => print(await listKeys(db))),
  },
  'keys rotate': {
    summary: 'Creates a new token for a key and prints it once. The old one works for --grace hours (24).',
    arguments: ['key-id'],
    options: { grace: 'hours?' },
    async run({ arguments: [id], options: { grace = '24' } }) {
      const seconds = integer(grace, '--grace') * 3600
      await withDatabase(async (db) => print(await rotateKey(db, integer(id, 'key-id'), seconds)))
    },
  },
  'keys revoke': {
    summary: 'Revokes a key immediately.',
    arguments: ['key-id'],
    async run({ arguments: [id] }) {
      await withDatabase(async (db) => print(await revokeKey(db, integer(id, 'key-id'))))
    },
  },
  'keys reseal': {
    summary:
      'Seals every stored webhook secret under the first of SECRET_KEYS. The other keys can be removed then.',
    run: async () =>
      await withDatabase(async (db, _, sealer) => {
        print({ resealed: await new WebhookStore(facilitatorWebhooks, sealer).reseal(db) })
      }),
  },
}
