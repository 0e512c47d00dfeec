import { sql } from 'kysely'
import { asHex } from '../../../chains/evm/reads/transfer.ts'
import { EarlierPaymentError } from '../../../chains/evm/transactions/execution.ts'
import type { Store } from '../../../database/store.ts'
import { fingerprint } from '../../../payment/fingerprint.ts'
import type { Payment } from '../../../payment/payment.ts'
import type { PreparedPayment, ServedScheme, SettleContext, SettlingCall } from '../../scheme.ts'
import { combineWords } from '../shared/typed-data.ts'
import { escrowAddress } from './escrow-addresses.ts'
import { findVoided } from './escrow-contracts.ts'
import { computeStateKey, hashInfo } from './escrow-digests.ts'
import { escrowReasons } from './escrow-reasons.ts'
import type { EscrowOperation } from './escrow-terms.ts'

type OperationPayment = Payment<EscrowOperation, ServedScheme>

/** The most requests for one state of a payment that had no effect. */
const MAX_ATTEMPTS = 64

/** The nonces of all requests for one state of a payment. */
const listNonces = (payment: Payment<EscrowOperation>): string[] => {
  const key = computeStateKey(payment.details, payment.chainId)
  return Array.from({ length: MAX_ATTEMPTS }, (_, attempt) => combineWords(key, BigInt(attempt)))
}

/**
 * Gives an operation its nonce: that of its earlier request if this is a repeated one, otherwise the next one for
 * the same state of the payment. A request that failed can be repeated, and one that was not sent blocks no other.
 */
export async function prepareOperation(
  context: SettleContext,
  payment: OperationPayment,
  call: SettlingCall,
): Promise<PreparedPayment> {
  for (const nonce of listNonces(payment)) {
    const terms = { ...payment, nonce }
    const bound = { ...terms, fingerprint: fingerprint(terms) }
    const settlement = await context.findSettlement(bound)
    const isSame = settlement?.account_id === call.account.id && settlement.fingerprint === bound.fingerprint
    const isFirst = call.idempotencyKey !== undefined && settlement?.idempotency_key === call.idempotencyKey
    const isPassed =
      settlement?.state === 'failed' ? !(isSame && isFirst) : settlement?.state === 'not_sent' && !isSame
    if (isPassed) continue
    return { ok: true, payment: bound, describe: (hash) => describeOperation(context, payment, hash) }
  }
  const message = 'Too many requests for this state of the payment had no effect'
  return { ok: false, reason: escrowReasons.unexpectedState, message }
}

/**
 * Commits the transaction of an operation, unless another one for the same state of the payment was sent and may
 * have an effect. The escrow would execute both. The operator is the only signer, and its row is locked.
 *
 * @throws EarlierPaymentError
 */
export async function commitOperation(
  trx: Store,
  { chainId }: { readonly chainId: number },
  payment: Payment<EscrowOperation>,
): Promise<void> {
  const others = listNonces(payment).filter((nonce) => nonce !== payment.nonce)
  const { rows } = await sql`
    select id from facilitator.transactions
    where chain_id = ${chainId} and domain = ${escrowAddress} and payer = ${payment.payer}
      and authorization_nonce = any (${others}::text[])
      and (state in ('sent', 'mined') or (state = 'final' and succeeded)) limit 1`.execute(trx)
  if (rows.length > 0)
    throw new EarlierPaymentError(
      'Another request for this state of the payment was sent. Sign for its result',
    )
}

/** Describes how much a settled operation moved. */
async function describeOperation(
  { chains }: SettleContext,
  { network, chainId, details }: Payment<EscrowOperation>,
  transaction: string,
): Promise<{ amount: bigint }> {
  if (details.kind !== 'void') return { amount: details.amount }
  const chain = chains.byNetwork(network)
  if (chain === undefined) throw new Error(`There is no access to ${network}`)
  const { logs } = await chain.client.getTransactionReceipt({ hash: asHex(transaction) })
  return { amount: findVoided(logs, hashInfo(details.info, chainId)) ?? 0n }
}
