import { operatorAccounts } from '@mintmark/facilitator/operator'
import { type Command, ConfigurationError } from '@mintmark/server-kit'
import type { Kysely } from 'kysely'
import { parseEther } from 'viem'
import type { Tables } from '../database/tables.ts'
import type { Enqueue } from '../events/record-event.ts'
import { toOperatorAccount } from '../http/operator/account-details.ts'
import { operatorAccountRoutes } from '../http/operator/account-handlers.ts'
import { listAccounts } from '../ledger/accounts/accounts.ts'
import { findAccountId, integer, print, withDatabase } from './command-database.ts'
import { createDecisionCommand, type DecisionSource } from './operate.ts'

/** Decisions about accounts and their keys. */
export const accountDecisions: DecisionSource<{ readonly db: Kysely<Tables>; readonly enqueue: Enqueue }> = {
  routes: operatorAccountRoutes,
  open: (work) => withDatabase((db, enqueue) => work({ db, enqueue })),
}

const readTokens = (text = ''): string => {
  if (!/^\d{1,12}(?:\.\d{1,18})?$/.test(text) || parseEther(text) === 0n)
    throw new ConfigurationError('--amount: expected a number above 0, such as 1.5')
  return String(parseEther(text))
}

export const accountCommands: Record<string, Command> = {
  'accounts create': createDecisionCommand(
    accountDecisions,
    {
      summary: 'Creates an account for a paying wallet.',
      options: { payer: 'address', name: 'text?' },
    },
    (_, { payer = '', name = '' }) => {
      if (!/^0x[0-9a-fA-F]{40}$/.test(payer)) throw new ConfigurationError('--payer: expected an address')
      return ({ operate, reason }) => operate(operatorAccounts.create, { payer, name, reason })
    },
  ),
  'accounts credit': createDecisionCommand(
    accountDecisions,
    {
      summary:
        'Credits an account, given by its id or wallet, with an amount of the native token, such as 1.5.',
      arguments: ['account'],
      options: { amount: 'tokens' },
    },
    ([account = ''], options) => {
      const amount = readTokens(options.amount)
      return async ({ port, operate, reason }) =>
        operate(operatorAccounts.credit, { id: await findAccountId(port.db, account), amount, reason })
    },
  ),
  'accounts freeze': createDecisionCommand(
    accountDecisions,
    { summary: 'Freezes an account, so that it cannot pay.', arguments: ['account'] },
    ([account = '']) =>
      async ({ port, operate, reason }) =>
        operate(operatorAccounts.freeze, { id: await findAccountId(port.db, account), reason }),
  ),
  'accounts unfreeze': createDecisionCommand(
    accountDecisions,
    { summary: 'Ends the freeze of an account.', arguments: ['account'] },
    ([account = '']) =>
      async ({ port, operate, reason }) =>
        operate(operatorAccounts.unfreeze, { id: await findAccountId(port.db, account), reason }),
  ),
  'accounts batch': createDecisionCommand(
    accountDecisions,
    {
      summary:
        'Sets for how many milliseconds settles of an account may wait for others, to share a transaction. 0: never.',
      arguments: ['account'],
      options: { delay: 'milliseconds' },
    },
    ([account = ''], { delay }) => {
      const batchDelayMs = integer(delay, '--delay')
      return async ({ port, operate, reason }) => {
        const id = await findAccountId(port.db, account)
        return operate(operatorAccounts.setBatchDelay, { id, batchDelayMs, reason })
      }
    },
  ),
  'accounts list': {
    summary: 'Lists the accounts with their balances in wei.',
    run: async () => await withDatabase(async (db) => print((await listAccounts(db)).map(toOperatorAccount))),
  },
}
