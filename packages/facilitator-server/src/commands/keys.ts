import { operatorKeys } from '@mintmark/facilitator/operator'
import type { Command } from '@mintmark/server-kit'
import { WebhookStore } from '@mintmark/webhooks'
import { facilitatorWebhooks } from '../database/webhook-schema.ts'
import { toOperatorKey } from '../http/operator/account-details.ts'
import { listKeys } from '../ledger/accounts/keys.ts'
import { accountDecisions } from './accounts.ts'
import { findAccountId, integer, print, withDatabase } from './command-database.ts'
import { createDecisionCommand } from './operate.ts'

export const keyCommands: Record<string, Command> = {
  'keys create': createDecisionCommand(
    accountDecisions,
    {
      summary: 'Creates a key of an account and prints its token once.',
      arguments: ['account'],
      options: { name: 'text?' },
    },
    ([account = ''], { name = '' }) =>
      async ({ port, operate, reason }) =>
        operate(operatorKeys.create, { accountId: await findAccountId(port.db, account), name, reason }),
  ),
  'keys list': {
    summary: 'Lists the keys, without their tokens.',
    run: async () =>
      await withDatabase(async (db) => print((await listKeys(db)).map((key) => toOperatorKey(key)))),
  },
  'keys rotate': createDecisionCommand(
    accountDecisions,
    {
      summary: 'Creates a new token for a key and prints it once. The old one works for --grace hours (24).',
      arguments: ['key-id'],
      options: { grace: 'hours?' },
    },
    ([key], { grace = '24' }) => {
      const id = integer(key, 'key-id')
      const graceSeconds = integer(grace, '--grace') * 3600
      return ({ operate, reason }) => operate(operatorKeys.rotate, { id, graceSeconds, reason })
    },
  ),
  'keys revoke': createDecisionCommand(
    accountDecisions,
    { summary: 'Revokes a key immediately.', arguments: ['key-id'] },
    ([key]) => {
      const id = integer(key, 'key-id')
      return ({ operate, reason }) => operate(operatorKeys.revoke, { id, reason })
    },
  ),
  'keys reseal': {
    summary:
      'Seals every stored webhook secret under the first of SECRET_KEYS. The other keys can be removed then.',
    run: async () =>
      await withDatabase(async (db, _, sealer) => {
        print({ resealed: await new WebhookStore(facilitatorWebhooks, sealer).reseal(db) })
      }),
  },
}
