import { operatorAccounts } from '@mintmark/facilitator/operator'
import { type Command, ConfigurationError } from '@mintmark/server-kit'
import type { Kysely } from 'kysely'
import { parseEther } from 'viem'
import type { Tables } from '../database/tables.ts'
import { toOperatorAccount } from '../http/operator/account-details.ts'
import { operatorAccountRoutes } from '../http/operator/account-handlers.ts'
import { listAccounts, type Operator } from '../ledger/accounts/accounts.ts'
import { findAccountByArgument, integer, print, withDatabase } from './command-database.ts'
import { createOperate, OPERATOR_OPTIONS, type Operate, readOperator } from './operate.ts'

/** What a command about an account gets. */
interface AccountDecision extends Operator {
  readonly db: Kysely<Tables>
  readonly operate: Operate
}

/** Decides something about accounts or their keys, and prints the result. */
export async function decideAccount(
  options: Record<string, string | undefined>,
  work: (decision: AccountDecision) => Promise<unknown>,
): Promise<void> {
  const operator = readOperator(options)
  await withDatabase(async (db, enqueue) => {
    const operate = createOperate(operatorAccountRoutes, { db, enqueue }, operator)
    print(await work({ db, operate, ...operator }))
  })
}

export const accountCommands: Record<string, Command> = {
  'accounts create': {
    summary: 'Creates an account for a paying wallet.',
    options: { payer: 'address', name: 'text?', ...OPERATOR_OPTIONS },
    async run({ options }) {
      const { payer = '', name = '' } = options
      if (!/^0x[0-9a-fA-F]{40}$/.test(payer)) throw new ConfigurationError('--payer: expected an address')
      await decideAccount(
        options,
        async ({ operate, reason }) => await operate(operatorAccounts.create, { payer, name, reason }),
      )
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
      const amount = String(parseEther(text))
      await decideAccount(options, async ({ db, operate, reason }) => {
        const { id } = await findAccountByArgument(db, account)
        return await operate(operatorAccounts.credit, { id, amount, reason })
      })
    },
  },
  'accounts freeze': {
    summary: 'Freezes an account, so that it cannot pay.',
    arguments: ['account'],
    options: OPERATOR_OPTIONS,
    async run({ arguments: [account = ''], options }) {
      await decideAccount(options, async ({ db, operate, reason }) => {
        const { id } = await findAccountByArgument(db, account)
        return await operate(operatorAccounts.freeze, { id, reason })
      })
    },
  },
  'accounts unfreeze': {
    summary: 'Ends the freeze of an account.',
    arguments: ['account'],
    options: OPERATOR_OPTIONS,
    async run({ arguments: [account = ''], options }) {
      await decideAccount(options, async ({ db, operate, reason }) => {
        const { id } = await findAccountByArgument(db, account)
        return await operate(operatorAccounts.unfreeze, { id, reason })
      })
    },
  },
  'accounts batch': {
    summary:
      'Sets for how many milliseconds settles of an account may wait for others, to share a transaction. 0: never.',
    arguments: ['account'],
    options: { delay: 'milliseconds', ...OPERATOR_OPTIONS },
    async run({ arguments: [account = ''], options }) {
      const batchDelayMs = integer(options.delay, '--delay')
      await decideAccount(options, async ({ db, operate, reason }) => {
        const { id } = await findAccountByArgument(db, account)
        return await operate(operatorAccounts.setBatchDelay, { id, batchDelayMs, reason })
      })
    },
  },
  'accounts list': {
    summary: 'Lists the accounts with their balances in wei.',
    run: async () => await withDatabase(async (db) => print((await listAccounts(db)).map(toOperatorAccount))),
  },
}
