// Finds out what became of a settle that was not answered.
import { setTimeout } from 'node:timers/promises'
import type { SettleError, SettleResponse } from '@x402/core/types'
import type { Settings } from './options.ts'
import type { Presentation } from './presentation.ts'
import { isRecord, type Purchase } from './purchase.ts'
import type { StoredPurchase } from './store.ts'

/** How long a process that settles is left alone. A settle that is repeated earlier is not executed twice either. */
export const SETTLING_MS = 30_000
/** How long a call waits for a resolution, which then continues in the background. */
const WAIT_MS = 10_000

/** How long a purchase can still be resolved. Without a status, its payer could otherwise never buy again. */
export const getMsLeft = ({ resolveUntil = 0 }: Purchase) => Math.max(1, resolveUntil - Date.now())

/** Resolves a purchase whose settle has begun. `ended`: it is paid, or gone. Only one process resolves it at a time. */
export async function resolvePurchase(
  settings: Settings,
  { settle }: Pick<Presentation, 'settle'>,
  existing: StoredPurchase,
): Promise<'ended' | 'pending'> {
  if ((existing.purchase.settlingUntil ?? 0) > Date.now()) return 'pending'
  const settlingUntil = Date.now() + SETTLING_MS
  const entry = { ...existing, token: crypto.randomUUID(), purchase: { ...existing.purchase, settlingUntil } }
  if (!(await settings.store.replace(existing.token, entry, getMsLeft(entry.purchase)))) return 'ended'
  const resolved = resolveClaimed(settings, settle, entry).catch((error: unknown) => {
    settings.onError(error)
    return 'pending' as const
  })
  return Promise.race([resolved, setTimeout(WAIT_MS, 'pending' as const, { ref: false })])
}

async function resolveClaimed(
  settings: Settings,
  settle: Presentation['settle'],
  entry: StoredPurchase,
): Promise<'ended' | 'pending'> {
  const { store } = settings
  const { purchase, payment, token } = entry
  const outcome = await findOutcome(settings, settle, entry)
  if (outcome === 'failed') await store.remove(payment, token)
  else if (outcome === 'pending') {
    const unresolved = { ...entry, purchase: { ...purchase, settlingUntil: 0 } }
    await store.replace(token, unresolved, getMsLeft(purchase))
    return 'pending'
  } else
    await recordPaid(settings, { ...entry, purchase: { ...purchase, state: 'paid', settlement: outcome } })
  return 'ended'
}

/** Records that a purchase is paid. Returns whether this process may deliver it: not if another one has taken it over. */
export async function recordPaid(
  { store, redeemMs, onError }: Settings,
  paid: StoredPurchase,
): Promise<boolean> {
  try {
    if (await store.replace(paid.token, paid, redeemMs)) return true
    // The other process may be unable to find out what this one knows.
    const other = await store.claim(paid, redeemMs)
    if (other?.purchase.state === 'settling') await store.replace(other.token, paid, redeemMs)
    return false
  } catch (error) {
    onError(error)
    // Before that, no other process takes it over.
    return Date.now() < (paid.purchase.settlingUntil ?? 0)
  }
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
  // Also if it is settled: a facilitator that reports each success once must have done so, or the signature could buy again.
  const settled = await settle(payload, requirements, overrides).catch((error: unknown) => {
    if (!isRefusal(error)) onError(error)
    return toSettleResponse(error, network)
  })
  if (isPaid(settled)) return { success: true, transaction: settled.transaction, network, payer }
  if (isUnresolved(settled)) return 'pending'
  if (found?.state === 'settled') return { success: true, transaction: found.transaction, network, payer }
  // Without a status, a refusal may mean that the first settle has executed the payment.
  return found?.state === 'unknown' ? 'failed' : 'pending'
}

/** Whether the answer to a repeated settle proves that the payment was executed. */
const isPaid = ({ success, errorReason, transaction }: SettleResponse): boolean =>
  success || (errorReason === 'duplicate_settlement' && transaction !== '')

const UNRESOLVED_REASONS = new Set(['settlement_pending', 'unexpected_settle_error', 'unexpected_error'])

/** Whether the outcome of a settle is not known. */
export function isUnresolved({ success, errorReason, errorMessage, transaction }: SettleResponse): boolean {
  const reason = errorReason ?? 'settlement_pending'
  if (success) return false
  if (UNRESOLVED_REASONS.has(reason) || errorMessage?.startsWith('settlement_pending')) return true
  // The reference facilitator reports what it did not see after a broadcast as a failure without a hash, or as text.
  return !transaction && (reason.endsWith('transaction_failed') || reason.includes(' '))
}

/** Whether a facilitator refused a settle. After a 5xx its outcome is not known. A program may have several versions of the class. */
const isRefusal = (error: unknown): error is SettleError & { errorReason: string } =>
  isRecord(error) && typeof error.errorReason === 'string' && Number(error.statusCode) < 500

/** Converts what a settle threw. Anything but a refusal leaves the outcome open. */
export function toSettleResponse(error: unknown, network: SettleResponse['network']): SettleResponse {
  if (!isRefusal(error))
    return { success: false, errorReason: 'settlement_pending', transaction: '', network }
  const { errorReason, errorMessage, transaction = '' } = error
  return { success: false, errorReason, ...(errorMessage && { errorMessage }), transaction, network }
}
