import type { Command } from '@mintmark/server-kit'
import { getPendingAction, listPending } from '../chains/evm/transactions/pending.ts'
import { integer, print } from './command-database.ts'
import { withEngine } from './engine.ts'

const DEFAULT_MINUTES = 5
const SECONDS_PER_MINUTE = 60

export const transactionCommands: Record<string, Command> = {
  'transactions stuck': {
    summary:
      'Lists the transactions that were not mined for --minutes (5), oldest first, with what to do about each.',
    options: { minutes: 'number?' },
    async run({ options: { minutes } }) {
      const seconds =
        (minutes === undefined ? DEFAULT_MINUTES : integer(minutes, '--minutes')) * SECONDS_PER_MINUTE
      await withEngine(async ({ db, payments }) => {
        const pending = await listPending(db, seconds)
        const signers = new Set(payments.builtIn?.signers)
        print(
          pending.map((transaction) => ({ ...transaction, action: getPendingAction(transaction, signers) })),
        )
      })
    },
  },
  'transactions sweep': {
    summary:
      'Broadcasts, replaces and records transactions now, and prints the number of each. The server does it every two seconds.',
    run: async () =>
      await withEngine(async ({ payments }) =>
        print((await payments.builtIn?.sweep()) ?? 'No signers are configured'),
      ),
  },
}
