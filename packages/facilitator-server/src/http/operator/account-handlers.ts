import { NotFoundError } from '@mintmark/envelope'
import {
  BALANCE_TOO_LARGE,
  operatorAccounts,
  operatorDecisions,
  operatorKeys,
  PAYER_HAS_ACCOUNT,
} from '@mintmark/facilitator/operator'
import { readPageQuery, refusal, toPage } from '@mintmark/server-kit'
import {
  BalanceTooLargeError,
  createAccount,
  creditAccount,
  freezeAccount,
  getAccount,
  PayerHasAccountError,
  setBatchDelay,
} from '../../ledger/accounts/accounts.ts'
import { AccountNotFoundError } from '../../ledger/accounts/balance.ts'
import { createKey, getKey, KeyNotFoundError, revokeKey, rotateKey } from '../../ledger/accounts/keys.ts'
import { findAccounts, readAccountDetails, toOperatorAccount, toOperatorKey } from './account-details.ts'
import { decide, listDecisions } from './decisions.ts'
import {
  createOperatorImplement,
  DEFAULT_LIST_SIZE,
  type OperatorContext,
  type OperatorPort,
} from './operator-context.ts'

const DEFAULT_GRACE_SECONDS = 24 * 3600

const implement = createOperatorImplement<OperatorContext<Pick<OperatorPort, 'db' | 'enqueue'>>>()

/** Runs work. An account or a key that does not exist is refused with 404. */
async function refuseUnknown<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AccountNotFoundError || error instanceof KeyNotFoundError)
      throw refusal(NotFoundError, error.message)
    throw error
  }
}

const accountRoutes = implement(operatorAccounts, {
  async list({ search, frozen, ...input }, { port, invalid }) {
    const query = readPageQuery({ ...input, search, frozen }, { id: 'id' }, invalid)
    return toPage(query, await findAccounts(port.db, { search, frozen }, query), (account) => account)
  },

  get: async ({ id }, context) => await refuseUnknown(() => readAccountDetails(context.port.db, id)),

  async create({ payer, name = '', reason }, context) {
    const wallet = payer.toLowerCase()
    const decision = {
      operation: operatorAccounts.create,
      subject: `payer/${wallet}`,
      input: { payer: wallet, name, reason },
    }
    try {
      const account = await decide(context, {
        ...decision,
        work: (trx) => createAccount(trx, { payer: wallet, name }, context.port.enqueue),
        repeat: (trx) => getAccount(trx, wallet),
      })
      return toOperatorAccount(account)
    } catch (error) {
      if (error instanceof PayerHasAccountError) throw refusal(PAYER_HAS_ACCOUNT, error.message)
      throw error
    }
  },

  async credit({ id, amount, reason }, context) {
    const { port, actor, invalid } = context
    const wei = BigInt(amount)
    if (wei === 0n) invalid('amount', 'Expected an amount above 0')
    const credit = { account: id, amount: wei, actor, reason }
    const decision = {
      operation: operatorAccounts.credit,
      subject: `account/${id}`,
      input: { id, amount, reason },
    }
    try {
      const work = () =>
        decide(context, {
          ...decision,
          work: (trx) => creditAccount(trx, credit, port.enqueue),
          repeat: (trx) => getAccount(trx, id),
        })
      return toOperatorAccount(await refuseUnknown(work))
    } catch (error) {
      if (error instanceof BalanceTooLargeError) throw refusal(BALANCE_TOO_LARGE, error.message)
      throw error
    }
  },

  async freeze({ id, reason }, context) {
    const decision = {
      operation: operatorAccounts.freeze,
      subject: `account/${id}`,
      input: { id, reason },
    }
    const work = () =>
      decide(context, {
        ...decision,
        work: (trx) => freezeAccount(trx, id, { actor: context.actor, reason }),
        repeat: (trx) => getAccount(trx, id),
      })
    return toOperatorAccount(await refuseUnknown(work))
  },

  async unfreeze({ id, reason }, context) {
    const decision = {
      operation: operatorAccounts.unfreeze,
      subject: `account/${id}`,
      input: { id, reason },
    }
    const work = () =>
      decide(context, {
        ...decision,
        work: (trx) => freezeAccount(trx, id, undefined),
        repeat: (trx) => getAccount(trx, id),
      })
    return toOperatorAccount(await refuseUnknown(work))
  },

  async setBatchDelay({ id, batchDelayMs, reason }, context) {
    const decision = {
      operation: operatorAccounts.setBatchDelay,
      subject: `account/${id}`,
      input: { id, batchDelayMs, reason },
    }
    const work = () =>
      decide(context, {
        ...decision,
        work: (trx) => setBatchDelay(trx, id, batchDelayMs),
        repeat: (trx) => getAccount(trx, id),
      })
    return toOperatorAccount(await refuseUnknown(work))
  },
})

const keyRoutes = implement(operatorKeys, {
  async create({ accountId, name = '', reason }, context) {
    const decision = {
      operation: operatorKeys.create,
      subject: `account/${accountId}`,
      input: { accountId, name, reason },
    }
    const work = () =>
      decide(context, { ...decision, work: (trx) => createKey(trx, { account: accountId, name }) })
    const { key, token } = await refuseUnknown(work)
    return toOperatorKey(key, token)
  },

  async rotate({ id, graceSeconds = DEFAULT_GRACE_SECONDS, reason }, context) {
    const decision = {
      operation: operatorKeys.rotate,
      subject: `key/${id}`,
      input: { id, graceSeconds, reason },
    }
    const work = () => decide(context, { ...decision, work: (trx) => rotateKey(trx, id, graceSeconds) })
    const { key, token } = await refuseUnknown(work)
    return toOperatorKey(key, token)
  },

  async revoke({ id, reason }, context) {
    const decision = { operation: operatorKeys.revoke, subject: `key/${id}`, input: { id, reason } }
    const work = () =>
      decide(context, {
        ...decision,
        work: (trx) => revokeKey(trx, id),
        repeat: (trx) => getKey(trx, id),
      })
    return toOperatorKey(await refuseUnknown(work))
  },
})

const decisionRoutes = implement(operatorDecisions, {
  async list({ subject, before, size = DEFAULT_LIST_SIZE }, { port }) {
    const found = await listDecisions(port.db, { subject, before, size: size + 1 })
    const decisions = found.slice(0, size)
    const last = decisions.at(-1)
    return { decisions, ...(found.length > size && last && { next: last.id }) }
  },
})

/** The operations of accounts, their keys, and what operators have decided. */
export const operatorAccountRoutes = [...accountRoutes, ...keyRoutes, ...decisionRoutes]
