import { asHex } from '../../../chains/evm/reads/transfer.ts'
import type { Payment } from '../../../payment/payment.ts'
import type { PreparedPayment, ServedScheme, SettleContext, SettlingCall } from '../../scheme.ts'
import { bindAttempt } from '../shared/bind-attempt.ts'
import { findVoided } from './escrow-contracts.ts'
import { combineWords, hashInfo } from './escrow-digests.ts'
import type { EscrowOperation } from './escrow-terms.ts'

/**
 * Gives a capture or a void its nonce. It does not depend on the account: two accounts with the same signature must
 * not capture twice.
 */
export async function prepareOperation(
  context: SettleContext,
  payment: Payment<EscrowOperation, ServedScheme>,
  call: SettlingCall,
): Promise<PreparedPayment> {
  const bound = await bindAttempt(context, payment, call, (failures) => combineWords(payment.nonce, failures))
  return { ok: true, payment: bound, describe: (hash) => describeOperation(context, payment, hash) }
}

/** Describes how much a settled operation moved. */
async function describeOperation(
  { chains }: SettleContext,
  { network, chainId, details }: Payment<EscrowOperation>,
  transaction: string,
): Promise<{ amount: bigint }> {
  if (details.kind === 'capture') return { amount: details.amount }
  const chain = chains.byNetwork(network)
  if (chain === undefined) throw new Error(`There is no access to ${network}`)
  const { logs } = await chain.client.getTransactionReceipt({ hash: asHex(transaction) })
  return { amount: findVoided(logs, hashInfo(details.info, chainId)) ?? 0n }
}
