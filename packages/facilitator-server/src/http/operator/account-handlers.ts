import { NotFoundError } from '@mintmark/envelope'
import {
  BALANCE_TOO_LARGE,
  type OperatorAccount,
  operatorAccounts,
  operatorDecisions,
  operatorKeys,
  PAYER_HAS_ACCOUNT,
} from '@mintmark/facilitator/operator'
import type { OperationShape } from '@mintmark/operation'
import { readPageQuery, refusal, toPage } from '@mintmark/server-kit'
import type { OperatorInput } from '../../database/tables.ts'
import {
  type Account,
  BalanceTooLargeError,
  createAccount,
  creditAccount,
  freezeAccount,
  getAccount,
  PayerHasAccountError,
  setBatchDelay,
} from '../../ledger/accounts/accounts.ts'
import { AccountNotFoundError } from '../../ledger/accounts/balance.ts'
import {
  type ApiKey,
  createKey,
  getKey,
  KeyNotFoundError,
  type NewKey,
  revokeKey,
  rotateKey,
} from '../../ledger/accounts/keys.ts'
import { toListPart } from '../context/list-part.ts'
import { findAccounts, readAccountDetails, toOperatorAccount, toOperatorKey } from './account-details.ts'
import { type Decision, decide, listDecisions } from './decisions.ts'
import {
  createOperatorImplement,
  DEFAULT_LIST_SIZE,
  type OperatorContext,
  type OperatorPort,
} from './operator-context.ts'

const DEFAULT_GRACE_SECONDS = 24 * 3600

const implement = createOperatorImplement<AccountContext>()

type AccountContext = OperatorContext<Pick<OperatorPort, 'db' | 'enqueue'>>

/** Runs work. What the ledger refuses has the refusal of the interface. */
async function refuseUnknown<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AccountNotFoundError || error instanceof KeyNotFoundError)
      throw refusal(NotFoundError, error.message)
    if (error instanceof PayerHasAccountError) throw refusal(PAYER_HAS_ACCOUNT, error.message)
    if (error instanceof BalanceTooLargeError) throw refusal(BALANCE_TOO_LARGE, error.message)
    throw error
  }
}

/** Changes an account, by a decision of the operator. */
async function decideAccount(
  context: AccountContext,
  operation: OperationShape,
  input: OperatorInput & { readonly id: number },
  work: Decision<Account>['work'],
): Promise<OperatorAccount> {
  const { id } = input
  const repeat: Decision<Account>['repeat'] = (trx) => getAccount(trx, id)
  const decision = { operation, subject: `account/${id}`, input, work, repeat }
  return toOperatorAccount(await refuseUnknown(() => decide(context, decision)))
}

const accountRoutes = implement(operatorAccounts, {
  async list({ search, frozen, ...input }, { port, invalid }) {
    const query = readPageQuery({ ...input, search, frozen }, { id: 'id' }, invalid)
    return toPage(query, await findAccounts(port.db, { search, frozen }, query), (account) => account)
  },

  get: async ({ id }, context) => await refuseUnknown(() => readAccountDetails(context.port.db, id)),

  async create({ payer, name = '', reason }, context) {
    const wallet = payer.toLowerCase()
    const decision: Decision<Account> = {
      operation: operatorAccounts.create,
      subject: `payer/${wallet}`,
      input: { payer: wallet, name, reason },
      work: (trx) => createAccount(trx, { payer: wallet, name }, context.port.enqueue),
      repeat: (trx) => getAccount(trx, wallet),
    }
    return toOperatorAccount(await refuseUnknown(() => decide(context, decision)))
  },

  async credit(input, context) {
    const { port, actor, invalid } = context
    const { id: account, reason } = input
    const amount = BigInt(input.amount)
    if (amount === 0n) invalid('amount', 'Expected an amount above 0')
    return await decideAccount(context, operatorAccounts.credit, input, (trx) =>
      creditAccount(trx, { account, amount, actor, reason }, port.enqueue),
    )
  },

  async freeze(input, context) {
    const { actor } = context
    return await decideAccount(context, operatorAccounts.freeze, input, (trx) =>
      freezeAccount(trx, input.id, { actor, reason: input.reason }),
    )
  },

  unfreeze: async (input, context) =>
    await decideAccount(context, operatorAccounts.unfreeze, input, (trx) =>
      freezeAccount(trx, input.id, undefined),
    ),

  setBatchDelay: async (input, context) =>
    await decideAccount(context, operatorAccounts.setBatchDelay, input, (trx) =>
      setBatchDelay(trx, input.id, input.batchDelayMs),
    ),
})

const keyRoutes = implement(operatorKeys, {
  async create({ accountId, name = '', reason }, context) {
    const decision: Decision<NewKey> = {
      operation: operatorKeys.create,
      subject: `account/${accountId}`,
      input: { accountId, name, reason },
      work: (trx) => createKey(trx, { account: accountId, name }),
    }
    const { key, token } = await refuseUnknown(() => decide(context, decision))
    return toOperatorKey(key, token)
  },

  async rotate({ id, graceSeconds = DEFAULT_GRACE_SECONDS, reason }, context) {
    const decision: Decision<NewKey> = {
      operation: operatorKeys.rotate,
      subject: `key/${id}`,
      input: { id, graceSeconds, reason },
      work: (trx) => rotateKey(trx, id, graceSeconds),
    }
    const { key, token } = await refuseUnknown(() => decide(context, decision))
    return toOperatorKey(key, token)
  },

  async revoke({ id, reason }, context) {
    const decision: Decision<ApiKey> = {
      operation: operatorKeys.revoke,
      subject: `key/${id}`,
      input: { id, reason },
      work: (trx) => revokeKey(trx, id),
      repeat: (trx) => getKey(trx, id),
    }
    return toOperatorKey(await refuseUnknown(() => decide(context, decision)))
  },
})

const decisionRoutes = implement(operatorDecisions, {
  async list({ subject, before, size = DEFAULT_LIST_SIZE }, { port }) {
    const found = await listDecisions(port.db, { subject, before, size: size + 1 })
    const { listed, more } = toListPart(found, size)
    return { decisions: [...listed], ...more }
  },
})

/** The operations of accounts, their keys, and what operators have decided. */
export const operatorAccountRoutes = [...accountRoutes, ...keyRoutes, ...decisionRoutes]
