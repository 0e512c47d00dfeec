import { describeChainError } from '@mintmark/evm-reader'
import type {
  ChainObservation,
  SettlementDetails,
  SettlementTransaction,
  SolanaTransaction,
} from '@mintmark/facilitator/operator'
import type { Kysely } from 'kysely'
import {
  listSettlementTransactions,
  type SettlementTransactionRow,
} from '../../chains/evm/transactions/settlement-transactions.ts'
import { findSvmTransactionOf, type RecordedSvmTransaction } from '../../chains/solana/svm-store.ts'
import type { Tables } from '../../database/tables.ts'
import { readSettlementHistory, type SettlementHistory } from '../../engine/operator/operator.ts'
import { inspectSettlement } from '../../engine/reconcile/inspect.ts'
import { readRefunded } from '../../ledger/orders/orders.ts'
import type { Settlement } from '../../ledger/settlements/settlement.ts'
import { toOperatorSettlement } from '../../operations/settlement-list.ts'
import type { ChainOutcome, ChainReader } from '../../payment/payment.ts'
import { findScheme } from '../../schemes/registry.ts'
import { toLedgerTransfer } from './account-details.ts'

/**
 * Reads what the chain shows of a payment now. A chain that cannot be read is an observation, not an error.
 */
export async function observeSettlement(
  chainReader: ChainReader,
  settlement: Settlement,
): Promise<ChainObservation> {
  if (!chainReader.readable(settlement.network))
    return toObservation({ kind: 'unreadable' }, `${settlement.network} is not among CHAINS`)
  try {
    return toObservation(await inspectSettlement(chainReader, findScheme, settlement))
  } catch (error) {
    return toObservation({ kind: 'unreadable' }, describeChainError(error))
  }
}

function toObservation(outcome: ChainOutcome, reason = ''): ChainObservation {
  const empty = { outcome: outcome.kind, transaction: '', isFinal: false, reason }
  if (outcome.kind === 'settled') {
    const { transaction, blockNumber, final } = outcome
    return { ...empty, transaction, blockNumber: String(blockNumber), isFinal: final }
  }
  if (outcome.kind === 'failed') {
    const transaction = outcome.reverted ?? outcome.withoutEffect ?? outcome.unproven?.transaction ?? ''
    return { ...empty, transaction, isFinal: true, reason: outcome.reason }
  }
  return outcome.kind === 'open' ? { ...empty, transaction: outcome.transaction ?? '' } : empty
}

/** Reads the whole history of a settlement. Undefined if it does not exist. */
export async function readSettlementDetails(
  db: Kysely<Tables>,
  chainReader: ChainReader,
  id: number,
): Promise<SettlementDetails | undefined> {
  const history = await readSettlementHistory(db, { id })
  if (history === undefined) return undefined
  const [refunded, observation, transactions, onSolana] = await Promise.all([
    readRefunded(db, id),
    observeSettlement(chainReader, history.settlement),
    listSettlementTransactions(db, id),
    findSvmTransactionOf(db, String(id)),
  ])
  return {
    ...toHistory(history),
    refunded,
    observation,
    transactions: transactions.map(toTransaction),
    ...(onSolana && { solanaTransaction: toSolanaTransaction(onSolana) }),
  }
}

function toHistory({
  settlement,
  charge,
  transfers,
  events,
  resolutions,
}: SettlementHistory): Omit<
  SettlementDetails,
  'refunded' | 'observation' | 'transactions' | 'solanaTransaction'
> {
  const { block_number: number, block_hash: hash, final_at: finalAt } = settlement
  return {
    settlement: toOperatorSettlement(settlement),
    ...(number !== null &&
      hash !== null && {
        block: { number, hash, ...(finalAt !== null && { finalTime: finalAt.toISOString() }) },
      }),
    ...(charge && {
      charge: { amount: charge.amount, cause: charge.cause, createTime: charge.created_at.toISOString() },
    }),
    transfers: transfers.map(toLedgerTransfer),
    events: events.map(({ sequence, type, occurred_at }) => ({
      sequence,
      type,
      createTime: occurred_at.toISOString(),
    })),
    resolutions: resolutions.map(({ outcome, transaction, actor, reason, created_at }) => ({
      outcome,
      transaction: transaction ?? '',
      actor,
      reason,
      createTime: created_at.toISOString(),
    })),
  }
}

function toTransaction(row: SettlementTransactionRow): SettlementTransaction {
  const { chainId, signer, nonce, state, hash, succeeded, blockNumber, attempts, createdAt } = row
  return {
    chainId,
    signer,
    nonce,
    status: state,
    hash: hash ?? '',
    ...(succeeded !== null && { succeeded }),
    ...(blockNumber !== null && { blockNumber }),
    attempts: attempts.map((attempt) => ({
      hash: attempt.hash,
      maxFeePerGas: attempt.maxFeePerGas,
      createTime: attempt.createdAt,
    })),
    createTime: createdAt.toISOString(),
  }
}

const toSolanaTransaction = ({ signature, state, createdAt }: RecordedSvmTransaction): SolanaTransaction => ({
  signature,
  status: state,
  createTime: createdAt.toISOString(),
})
