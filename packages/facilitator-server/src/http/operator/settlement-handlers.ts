import { NotFoundError } from '@mintmark/envelope'
import {
  CHAIN_DECIDES,
  operatorReverts,
  operatorSettlements,
  operatorTransactions,
  SETTLEMENT_NOT_UNKNOWN,
} from '@mintmark/facilitator/operator'
import { refusal } from '@mintmark/server-kit'
import type { Kysely } from 'kysely'
import { getPendingAction, listPending } from '../../chains/evm/transactions/pending.ts'
import type { Tables } from '../../database/tables.ts'
import { type Resolution, type ResolveResult, resolveSettlement } from '../../engine/operator/operator.ts'
import { getAccount } from '../../ledger/accounts/accounts.ts'
import { AccountNotFoundError } from '../../ledger/accounts/balance.ts'
import { clearReverts, listReverts } from '../../ledger/settlements/reverts.ts'
import { findById, type Settlement } from '../../ledger/settlements/settlement.ts'
import { listSettlements, toOperatorSettlement } from '../../operations/settlement-list.ts'
import { decide } from './decisions.ts'
import {
  createOperatorImplement,
  DEFAULT_LIST_SIZE,
  type OperatorContext,
  type OperatorPort,
} from './operator-context.ts'
import { observeSettlement, readSettlementDetails } from './settlement-details.ts'

const DEFAULT_STUCK_MINUTES = 5
const SECONDS_PER_MINUTE = 60

type SettlementContext = OperatorContext<Pick<OperatorPort, 'db' | 'enqueue' | 'config' | 'payments'>>

const implement = createOperatorImplement<SettlementContext>()

const settlementRoutes = implement(operatorSettlements, {
  async list({ before, size = DEFAULT_LIST_SIZE, ...filter }, { port }) {
    const { rows, next } = await listSettlements(port.db, filter, { before, size })
    return {
      settlements: rows.map((row) => toOperatorSettlement(row)),
      ...(next !== undefined && { next }),
    }
  },

  async get({ id }, { port }) {
    const details = await readSettlementDetails(port.db, port.payments.chainReader, id)
    if (details === undefined) throw refusal(NotFoundError, `Settlement ${id} does not exist`)
    return details
  },

  async resolve({ id, outcome, transaction, reason, force = false }, context) {
    const { port, actor, invalid } = context
    const settlement = await findById(port.db, id)
    if (settlement === undefined) throw refusal(NotFoundError, `Settlement ${id} does not exist`)
    if (outcome === 'failed' && transaction !== undefined)
      invalid('transaction', 'Send a transaction only with the outcome settled')
    const resolution: Resolution =
      outcome === 'failed'
        ? { id, outcome, actor, reason }
        : { id, outcome, actor, reason, transaction: transaction ?? invalid('transaction', 'Required') }
    const observation = await observeSettlement(port.payments.chainReader, settlement)
    const resolved = await resolve(context, resolution, force)
    return { settlement: toOperatorSettlement(resolved), observation }
  },
})

async function resolve(
  context: SettlementContext,
  resolution: Resolution,
  force: boolean,
): Promise<Settlement> {
  const { port } = context
  const { id, actor: _, ...input } = resolution
  const { config, payments, enqueue } = port
  const options = {
    chargeOn: config.chargeOn,
    chainReader: payments.chainReader,
    force,
    ...(enqueue && { enqueue }),
  }
  return await decide(context, {
    operation: operatorSettlements.resolve,
    subject: `settlement/${id}`,
    input: { id, ...input, force },
    work: async (trx) => requireResolved(await resolveSettlement(trx, resolution, options), id),
    async repeat(trx) {
      const settlement = await findById(trx, id)
      if (settlement === undefined) throw refusal(NotFoundError, `Settlement ${id} does not exist`)
      return settlement
    },
  })
}

function requireResolved(result: ResolveResult, id: number): Settlement {
  switch (result.kind) {
    case 'resolved':
      return result.settlement
    case 'not-found':
      throw refusal(NotFoundError, `Settlement ${id} does not exist`)
    case 'not-unknown':
      throw refusal(
        SETTLEMENT_NOT_UNKNOWN,
        `Settlement ${id} is ${result.state}. Only an unknown settlement can be resolved`,
      )
    case 'readable':
      throw refusal(
        CHAIN_DECIDES,
        `${result.network} can be read, so the chain decides. Wait, or resolve with force`,
      )
  }
}

const revertRoutes = implement(operatorReverts, {
  list: async (_, { port }) => await listReverts(port.db, port.config.revertLimits),

  async clear({ kind, subject: name, reason }, context) {
    const { port, actor, invalid } = context
    const { format, expected } = REVERT_SUBJECTS[kind]
    if (!format.test(name)) invalid('subject', expected)
    const subject = name.toLowerCase()
    const readReverts = (trx: Kysely<Tables>) => listReverts(trx, port.config.revertLimits)
    try {
      return await decide(context, {
        operation: operatorReverts.clear,
        subject: `${kind}/${subject}`,
        input: { kind, subject, reason },
        async work(trx) {
          if (kind === 'account') await getAccount(trx, Number(subject))
          await clearReverts(trx, { kind, subject }, { actor, reason })
          return await readReverts(trx)
        },
        repeat: readReverts,
      })
    } catch (error) {
      if (error instanceof AccountNotFoundError) throw refusal(NotFoundError, error.message)
      throw error
    }
  },
})

const REVERT_SUBJECTS = {
  account: { format: /^[1-9]\d{0,14}$/, expected: "Expected the account's id" },
  payer: { format: /^0x[0-9a-fA-F]{40}$/, expected: "Expected the payer's wallet" },
}

const transactionRoutes = implement(operatorTransactions, {
  async listStuck({ minutes = DEFAULT_STUCK_MINUTES }, { port }) {
    const signers = new Set(port.payments.builtIn?.signers)
    const pending = await listPending(port.db, minutes * SECONDS_PER_MINUTE)
    return pending.map(({ settlementId, hashes, ...transaction }) => ({
      ...transaction,
      ...(settlementId !== null && { settlementId: Number(settlementId) }),
      hashes: [...hashes],
      action: getPendingAction({ ...transaction, settlementId, hashes }, signers),
    }))
  },
})

/** The operations of settlements, their transactions and their reverts. */
export const operatorSettlementRoutes = [...settlementRoutes, ...revertRoutes, ...transactionRoutes]
