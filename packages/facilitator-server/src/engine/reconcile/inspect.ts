import type { Settlement } from '../../ledger/settlements/settlement.ts'
import type { ChainOutcome, ChainReader } from '../../payment/payment.ts'
import type { FindScheme } from '../../payment/scheme.ts'
import type { EngineSettings } from '../settings/engine-options.ts'

/** Reads the outcome of a settlement's payment from the chain. */
export async function inspectSettlement(
  reader: ChainReader,
  findScheme: FindScheme,
  settlement: Settlement,
): Promise<ChainOutcome> {
  const { network, asset, domain, payer, pay_to: payTo, nonce, transaction } = settlement
  const { reserved_block: reserved } = settlement
  const scheme = findScheme(settlement)
  const amount = BigInt(settlement.amount)
  const validBefore = BigInt(settlement.valid_before)
  const payment = { scheme, network, asset, domain, payer, payTo, nonce, amount, validBefore }
  return reader.inspect(payment, {
    ...(transaction !== null && { transaction }),
    ...(reserved !== null && { reservedBlock: BigInt(reserved) }),
  })
}

/** Reads the outcome as `inspectSettlement` does. Returns `unreadable` if the chain cannot be read. */
export async function inspectReliably(
  { chainReader, findScheme, log }: EngineSettings,
  settlement: Settlement,
): Promise<ChainOutcome> {
  if (chainReader?.readable(settlement.network) !== true) return { kind: 'unreadable' }
  try {
    return await inspectSettlement(chainReader, findScheme, settlement)
  } catch (error) {
    log.error({ err: error, settlementId: settlement.id }, 'The chain could not be read')
    return { kind: 'unreadable' }
  }
}

/**
 * Whether the built-in upstream signed nothing for an unknown settlement whose nonce is unused. The
 * settlement is claimed, so the call that reserved it can no longer sign (see `addSettlement`).
 */
export async function wasNeverSent(
  { listSignedTransactions }: EngineSettings,
  settlement: Settlement,
  outcome: ChainOutcome,
): Promise<boolean> {
  const { state, hold, upstream, network, domain, payer, nonce } = settlement
  const mayBeUnsent = state === 'unknown' && hold === 'held' && upstream === 'built-in'
  if (!mayBeUnsent || outcome.kind !== 'open' || !outcome.unused) return false
  const signed = await listSignedTransactions?.({ network, domain, payer, nonce })
  return signed?.length === 0
}
