import { operatorKeys } from '@mintmark/facilitator/operator'
import type { Command } from '@mintmark/server-kit'
import { WebhookStore } from '@mintmark/webhooks'
import { facilitatorWebhooks } from '../database/webhook-schema.ts'
import { toOperatorKey } from '../http/operator/account-details.ts'
import { listKeys } from '../ledger/accounts/keys.ts'
import { decideAccount } from './accounts.ts'
import { findAccountByArgument, integer, print, withDatabase } from './command-database.ts'
import { OPERATOR_OPTIONS } from './operate.ts'

export const keyCommands: Record<string, Command> = {
  'keys create': {
    summary: 'Creates a key of an account and prints its token once.',
    arguments: ['account'],
    options: { name: 'text?', ...OPERATOR_OPTIONS },
    async run({ arguments: [account = ''], options }) {
      const { name = '' } = options
      await decideAccount(options, async ({ db, operate, reason }) => {
        const { id: accountId } = await findAccountByArgument(db, account)
        return await operate(operatorKeys.create, { accountId, name, reason })
      })
    },
  },
  'keys list': {
    summary: 'Lists the keys, without their tokens.',
    run: async () =>
      await withDatabase(async (db) => print((await listKeys(db)).map((key) => toOperatorKey(key)))),
  },
  'keys rotate': {
    summary: 'Creates a new token for a key and prints it once. The old one works for --grace hours (24).',
    arguments: ['key-id'],
    options: { grace: 'hours?', ...OPERATOR_OPTIONS },
    async run({ arguments: [text], options }) {
      const id = integer(text, 'key-id')
      const graceSeconds = integer(options.grace ?? '24', '--grace') * 3600
      await decideAccount(
        options,
        async ({ operate, reason }) => await operate(operatorKeys.rotate, { id, graceSeconds, reason }),
      )
    },
  },
  'keys revoke': {
    summary: 'Revokes a key immediately.',
    arguments: ['key-id'],
    options: OPERATOR_OPTIONS,
    async run({ arguments: [text], options }) {
      const id = integer(text, 'key-id')
      await decideAccount(
        options,
        async ({ operate, reason }) => await operate(operatorKeys.revoke, { id, reason }),
      )
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
