// Decides what a verified or refused payment may do: begin a purchase, wait for it, or redeem it.
import type { VerifyResponse } from '@x402/core/types'
import {
  type Call,
  IDENTIFIER_CONFLICT,
  PAYMENT_CONFLICT,
  PENDING,
  type Refusal,
  refuse,
  UNAVAILABLE,
  UNREADABLE,
} from './call.ts'
import type { Candidate, Presentation } from './presentation.ts'
import { isProven } from './proof.ts'
import { digest, identifyRequest, isSamePresentation, readAuthorization, readIdentifier } from './purchase.ts'
import { resolvePurchase } from './resolve-purchase.ts'
import type { StoredPurchase } from './store.ts'

/** `stock`: what the facilitator said stands. `again`: the purchase that was in the way is gone. */
type Decision = 'stock' | 'again' | { readonly redeem: StoredPurchase } | { readonly refuse: Refusal }

/** Verifies a payment, and claims its purchase or decides what the call gets of an existing one. */
export async function beginPurchase(call: Call, presentation: Presentation): Promise<VerifyResponse> {
  const { payload, requirements } = presentation
  const authorization = await readAuthorization(payload, requirements)
  if (authorization === undefined) return presentation.verify()
  const outcome = await presentation.verify().then(
    (verified) => ({ verified, error: undefined }),
    (error: unknown) => ({ verified: INVALID, error }),
  )
  const payer =
    (outcome.verified.isValid ? toAddress(outcome.verified.payer) : undefined) ?? authorization.payer
  if (payer === undefined) return rethrow(outcome)
  const entry = await describeEntry(call, presentation, { payer, payment: authorization.payment })
  if (entry === undefined) return INVALID
  try {
    const isStock = await decideRepeatedly({ ...presentation, call, entry, verified: outcome.verified })
    return isStock ? rethrow(outcome) : { isValid: call.answer === undefined, payer }
  } catch (error) {
    call.settings.onError(error)
    refuse(call, UNAVAILABLE)
    return INVALID
  }
}

/** The layer answers the call. */
const INVALID: VerifyResponse = { isValid: false, invalidReason: 'settlement_pending' }

function rethrow({ verified, error }: { verified: VerifyResponse; error: unknown }): VerifyResponse {
  if (error !== undefined) throw error
  return verified
}

const toAddress = (payer: string | undefined) => (payer?.startsWith('0x') ? payer.toLowerCase() : payer)

async function describeEntry(
  call: Call,
  { payload, requirements }: Presentation,
  { payer, payment }: { payer: string; payment: string },
): Promise<StoredPurchase | undefined> {
  const identifier = readIdentifier(payload)
  const isNamed = identifier !== undefined
  try {
    const request = await identifyRequest(await call.readResource(), requirements)
    const key = await digest([payer, isNamed ? { identifier } : request])
    const purchase = { state: 'working', request, isNamed, payer, payload, requirements } as const
    return { payment, key, token: crypto.randomUUID(), purchase }
  } catch (error) {
    call.settings.onError(error)
    refuse(call, UNREADABLE)
    return undefined
  }
}

/** Returns whether the response of the facilitator stands. Otherwise the call has an entry or an answer. */
async function decideRepeatedly(candidate: Candidate): Promise<boolean> {
  const { call, entry, verified } = candidate
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const existing = await findOrClaim(candidate)
    if (existing === undefined) {
      if (verified.isValid) call.entry = entry
      return true
    }
    const decision = await decide(candidate, existing)
    if (decision === 'stock') return true
    if (decision === 'again') continue
    if ('refuse' in decision) refuse(call, decision.refuse)
    else if (!(await redeem(call, decision.redeem))) continue
    return false
  }
  refuse(call, PENDING)
  return false
}

async function findOrClaim({ call, entry, verified }: Candidate): Promise<StoredPurchase | undefined> {
  const { store, handlerMs } = call.settings
  if (verified.isValid) return store.claim(entry, handlerMs)
  const { payment, key } = entry
  return (await store.find({ payment })) ?? (key === undefined ? undefined : store.find({ key }))
}

/** Decides about a call for a purchase that exists. */
async function decide(candidate: Candidate, existing: StoredPurchase): Promise<Decision> {
  const { entry, verified } = candidate
  const { purchase } = existing
  if (purchase.request !== entry.purchase.request) {
    if (existing.payment === entry.payment) return verified.isValid ? { refuse: PAYMENT_CONFLICT } : 'stock'
    // To anybody but the payer, a conflict would tell which identifiers the payer uses.
    return (await isProven(candidate)) ? { refuse: IDENTIFIER_CONFLICT } : 'stock'
  }
  if (purchase.state === 'working') return { refuse: PENDING }
  if (purchase.state === 'settling') {
    const state = await resolvePurchase(candidate.call.settings, candidate, existing)
    return state === 'pending' ? { refuse: PENDING } : 'again'
  }
  if (!(await mayRedeem(candidate, existing))) {
    return verified.isValid && existing.payment === entry.payment ? { refuse: PAYMENT_CONFLICT } : 'stock'
  }
  return { redeem: existing }
}

/** Whether the caller has shown that it is the payer of a paid purchase that it can get, again if need be. */
async function mayRedeem(candidate: Candidate, { payment, purchase }: StoredPurchase): Promise<boolean> {
  if (payment !== candidate.entry.payment) return isProven(candidate)
  if (!isSamePresentation(purchase.payload, candidate.payload)) return false
  return purchase.state === 'paid' || purchase.isNamed || candidate.call.settings.repeatSignatureMs > 0
}

/** Answers a call by what was stored, or lets the handler run again. Returns false if another call was faster. */
async function redeem(call: Call, entry: StoredPurchase): Promise<boolean> {
  const { store, redeemMs, maxReruns } = call.settings
  const { purchase } = entry
  call.entry = entry
  if (purchase.response !== undefined) {
    call.answer = { kind: 'redeem', response: purchase.response }
    call.isServed = true
    return true
  }
  const reruns = (purchase.reruns ?? 0) + 1
  if (reruns > maxReruns) {
    const delivered = { ...purchase, state: 'delivered' as const }
    const last = { ...entry, key: undefined, token: crypto.randomUUID(), purchase: delivered }
    await store.replace(entry.token, last, redeemMs)
    delete call.entry
    return false
  }
  const next = { ...entry, token: crypto.randomUUID(), purchase: { ...purchase, reruns } }
  if (!(await store.replace(entry.token, next, redeemMs))) return false
  call.entry = next
  return true
}
