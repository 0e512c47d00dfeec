import type { SettleResponse } from '@x402/core/types'
import { type Call, calls, PENDING, refuse, UNAVAILABLE } from './call.ts'
import type { Settings } from './options.ts'
import type { Presentation } from './presentation.ts'
import type { Purchase, SettlementOverrides, StoredResponse } from './purchase.ts'
import { getMsLeft, isUnresolved, recordPaid, SETTLING_MS, toSettleResponse } from './resolve-purchase.ts'
import type { StoredPurchase } from './store.ts'

/**
 * Settles the purchase of a call once. A purchase that is paid already is not settled again. If the outcome is not known, the call is answered by a
 * refusal that asks for nothing.
 */
export async function settlePurchase(
  call: Call,
  entry: StoredPurchase,
  presentation: Presentation,
  overrides: SettlementOverrides | undefined,
): Promise<SettleResponse> {
  const { settings } = call
  const { network } = presentation.requirements
  call.isServed = true
  if (entry.purchase.state !== 'working')
    return entry.purchase.settlement ?? { success: true, transaction: '', network }
  const response = readResponse(call)
  const purchase: Purchase = {
    ...entry.purchase,
    state: 'settling',
    settlingUntil: Date.now() + SETTLING_MS,
    resolveUntil: Date.now() + Math.min(settings.status ? Infinity : REMEMBER_MS, settings.redeemMs),
    ...(overrides && { overrides }),
    ...(response && { response }),
  }
  const settling = { ...entry, purchase }
  delete call.entry
  const isOwn = await settings.store
    .replace(entry.token, settling, getMsLeft(purchase))
    .catch((error: unknown) => settings.onError(error))
  if (isOwn !== true) {
    refuse(call, isOwn === undefined ? UNAVAILABLE : PENDING)
    return toSettleResponse(undefined, network)
  }
  const { payload, requirements } = presentation
  const settled = await presentation
    .settle(payload, requirements, overrides)
    .catch((error: unknown) => toSettleResponse(error, network))
  if (settled.success) {
    const paid = { ...settling, purchase: { ...purchase, state: 'paid' as const, settlement: settled } }
    if (await mayDeliver(settings, paid)) {
      call.entry = paid
      return settled
    }
  } else if (await isRefused(settings, settling, settled)) return settled
  refuse(call, PENDING)
  return toSettleResponse(undefined, network)
}

/**
 * Whether this process may deliver what is paid. With a status, any other process can find out that it is paid, and does not try to before `settlingUntil`:
 * nothing has to be stored before the response.
 */
async function mayDeliver(settings: Settings, paid: StoredPurchase): Promise<boolean> {
  const isLeftAlone = Date.now() < (paid.purchase.settlingUntil ?? 0)
  return (isLeftAlone && settings.status !== undefined) || recordPaid(settings, paid)
}

/** Whether a payment was refused for good. If so, its purchase is gone. Otherwise it can be resolved at once. */
async function isRefused(
  settings: Settings,
  entry: StoredPurchase,
  settled: SettleResponse,
): Promise<boolean> {
  const { store, onError } = settings
  try {
    if (await isFinal(settings, entry, settled)) return await store.remove(entry.payment, entry.token)
    const unresolved = { ...entry, purchase: { ...entry.purchase, settlingUntil: 0 } }
    await store.replace(entry.token, unresolved, getMsLeft(entry.purchase))
  } catch (error) {
    onError(error)
  }
  return false
}

/** Whether a refusal is final: a facilitator may also refuse what it has executed. A duplicate was delivered for another purchase. */
async function isFinal({ status }: Settings, { purchase }: StoredPurchase, settled: SettleResponse) {
  if (isUnresolved(settled)) return false
  if (status === undefined || settled.errorReason === 'duplicate_settlement') return true
  const { state } = await status(purchase)
  return state === 'failed' || state === 'unknown'
}

/** Runs the stock function of a call, and ends the call if it fails. */
export async function runCall<T>(call: Call, run: () => T | Promise<T>): Promise<T> {
  try {
    return await calls.run(call, run)
  } catch (error) {
    await endCall(call, false)
    throw error
  }
}

/** Ends a call: records whether its response was written whole, and frees a purchase that was not settled. */
export async function endCall(call: Call, isWhole: boolean): Promise<void> {
  const { entry, settings } = call
  const { store, redeemMs, onError } = settings
  delete call.entry
  if (entry === undefined) return
  try {
    if (entry.purchase.state === 'working') await store.remove(entry.payment, entry.token)
    if (entry.purchase.state !== 'paid') return
    // A handler that runs again may fail.
    if (isWhole && call.isServed === true) await recordDelivery(settings, entry)
    else await store.replace(entry.token, entry, redeemMs)
  } catch (error) {
    onError(error)
  }
}

async function recordDelivery(
  { store, repeatMs, repeatSignatureMs }: Settings,
  entry: StoredPurchase,
): Promise<void> {
  const { response, ...purchase } = entry.purchase
  const { isNamed } = purchase
  const isRepeated = isNamed || repeatSignatureMs > 0
  const delivered: StoredPurchase = {
    ...entry,
    // Calls that redeem it at the same time change nothing any more.
    token: crypto.randomUUID(),
    key: isNamed ? entry.key : undefined,
    purchase: { ...purchase, state: 'delivered', ...(isRepeated && response && { response }) },
  }
  await store.replace(entry.token, delivered, isNamed ? repeatMs : Math.max(repeatSignatureMs, REMEMBER_MS))
}

/** How long a delivered payment is remembered, so that a facilitator that repeats successes cannot deliver it twice. */
const REMEMBER_MS = 86_400_000

/** What another response sets by itself. */
const OWN_HEADERS =
  /^(connection|content-length|date|etag|keep-alive|payment-response|set-cookie|settlement-overrides|transfer-encoding)$/i

function readResponse({ status, written, settings }: Call): StoredResponse | undefined {
  if (written === undefined || written.body.byteLength > settings.maxResponseBytes) return undefined
  const headers = Object.entries(written.headers ?? {}).filter(([name]) => !OWN_HEADERS.test(name))
  return { status, headers: Object.fromEntries(headers), body: Buffer.from(written.body).toString('base64') }
}
