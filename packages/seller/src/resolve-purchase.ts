// Finds out what became of a settle that was not answered.
import type { SettleResponse } from '@x402/core/types'
import { getResolveMs, type Settings } from './options.ts'
import type { Presentation } from './presentation.ts'
import { isRecord } from './purchase.ts'
import type { StoredPurchase } from './store.ts'

/** How long a process that settles is left alone. A settle that is repeated earlier is not executed twice either. */
export const SETTLING_MS = 30_000
/** How long a call waits for a resolution. It goes on after that. */
const WAIT_MS = 10_000

/**
 * Resolves a purchase whose settle has begun. `ended`: it is paid, or gone. Only one process resolves it at a time.
 */
export async function resolvePurchase(
  settings: Settings,
  { settle }: Pick<Presentation, 'settle'>,
  existing: StoredPurchase,
): Promise<'ended' | 'pending'> {
  if ((existing.purchase.settlingUntil ?? 0) > Date.now()) return 'pending'
  const settlingUntil = Date.now() + SETTLING_MS
  const entry = { ...existing, token: crypto.randomUUID(), purchase: { ...existing.purchase, settlingUntil } }
  if (!(await settings.store.replace(existing.token, entry, getResolveMs(settings)))) return 'ended'
  const waited = Promise.withResolvers<'pending'>()
  const timer = setTimeout(() => waited.resolve('pending'), WAIT_MS)
  const resolved = resolveClaimed(settings, settle, entry).catch((error: unknown) => {
    settings.onError(error)
    return 'pending' as const
  })
  return Promise.race([resolved, waited.promise]).finally(() => clearTimeout(timer))
}

async function resolveClaimed(
  settings: Settings,
  settle: Presentation['settle'],
  entry: StoredPurchase,
): Promise<'ended' | 'pending'> {
  const { store, redeemMs } = settings
  const outcome = await findOutcome(settings, settle, entry)
  const { purchase } = entry
  if (outcome === 'failed') {
    await store.remove(entry.payment, entry.token)
    return 'ended'
  }
  if (outcome === 'pending') {
    const unresolved = { ...entry, purchase: { ...purchase, settlingUntil: 0 } }
    await store.replace(entry.token, unresolved, getResolveMs(settings))
    return 'pending'
  }
  const paid = { ...entry, purchase: { ...purchase, state: 'paid' as const, settlement: outcome } }
  await store.replace(entry.token, paid, redeemMs)
  return 'ended'
}

async function findOutcome(
  { status, onError }: Settings,
  settle: Presentation['settle'],
  { purchase }: StoredPurchase,
): Promise<SettleResponse | 'failed' | 'pending'> {
  const { payer, payload, requirements, overrides } = purchase
  const { network } = requirements
  const found = await status?.({ payer, payload, requirements })
  if (found?.state === 'failed') return 'failed'
  if (found?.state === 'settled') return { success: true, transaction: found.transaction, network, payer }
  const settled = await settle(payload, requirements, overrides).catch((error: unknown) => {
    if (!isRefusal(error)) onError(error)
    return toSettleResponse(error, network)
  })
  if (isPaid(settled)) return { success: true, transaction: settled.transaction, network, payer }
  // Without a status, a refusal may mean that the first settle has executed the payment.
  return found?.state === 'unknown' && !isUnresolved(settled) ? 'failed' : 'pending'
}

/** Whether the answer to a repeated settle proves that the payment was executed. */
const isPaid = ({ success, errorReason, transaction }: SettleResponse): boolean =>
  success || (errorReason === 'duplicate_settlement' && transaction !== '')

const UNRESOLVED_REASONS = new Set(['settlement_pending', 'unexpected_settle_error', 'unexpected_error'])

/** Whether the outcome of a settle is not known. */
export const isUnresolved = ({ success, errorReason }: SettleResponse): boolean =>
  !success && UNRESOLVED_REASONS.has(errorReason ?? 'settlement_pending')

/** The fields of `SettleError` of `@x402/core`, of which a program may have several versions. */
interface RefusedSettle {
  readonly statusCode: number
  readonly errorReason: string
  readonly errorMessage?: string
  readonly transaction?: string
}

/** Whether a facilitator has answered a settle by a refusal. After a 5xx its outcome is not known. */
const isRefusal = (error: unknown): error is RefusedSettle =>
  isRecord(error) && typeof error.errorReason === 'string' && Number(error.statusCode) < 500

/** Converts what a settle threw. Anything but a refusal leaves the outcome open. */
export function toSettleResponse(error: unknown, network: SettleResponse['network']): SettleResponse {
  if (!isRefusal(error))
    return { success: false, errorReason: 'settlement_pending', transaction: '', network }
  const { errorReason, errorMessage, transaction = '' } = error
  return { success: false, errorReason, ...(errorMessage && { errorMessage }), transaction, network }
}
