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
import {
  type Authorization,
  digest,
  identifyRequest,
  isSamePresentation,
  readAuthorization,
  readIdentifier,
} from './purchase.ts'
import { resolvePurchase } from './resolve-purchase.ts'
import type { StoredPurchase } from './store.ts'

/** `accept`: keep the facilitator's response. `retry`: the existing purchase has changed or is gone. */
type Decision = 'accept' | 'retry' | { readonly redeem: StoredPurchase } | { readonly refuse: Refusal }

/** Verifies a payment, and claims its purchase or decides what the call gets of an existing one. */
export async function beginPurchase(call: Call, presentation: Presentation): Promise<VerifyResponse> {
  const { payload, requirements } = presentation
  const authorization = await readAuthorization(payload, requirements)
  if (authorization === undefined) return presentation.verify()
  if (authorization === 'invalid') return { isValid: false, invalidReason: 'invalid_payload' }
  const outcome = await presentation.verify().then(
    (verified) => ({ verified, error: undefined }),
    (error: unknown) => ({ verified: INVALID, error }),
  )
  try {
    const payer = await findPayer(call, authorization, outcome.verified)
    const entry = payer && (await describeEntry(call, presentation, payer, authorization.payment))
    if (entry && !(await isAccepted({ ...presentation, call, entry, verified: outcome.verified })))
      return { isValid: call.answer === undefined, payer }
  } catch (error) {
    call.settings.onError(error)
    refuse(call, UNAVAILABLE)
  }
  if (call.answer !== undefined) return INVALID
  if (outcome.error !== undefined) throw outcome.error
  return outcome.verified
}

/** The layer answers the call. */
const INVALID: VerifyResponse = { isValid: false, invalidReason: 'settlement_pending' }

/** Finds who pays. A settled Solana transaction is no longer valid, so its payer is read from its purchase. */
async function findPayer(
  { settings }: Call,
  { payer, payment }: Authorization,
  verified: VerifyResponse,
): Promise<string | undefined> {
  if (verified.isValid && verified.payer !== undefined) return toAddress(verified.payer)
  return payer ?? (await settings.store.find({ payment }))?.purchase.payer
}

const toAddress = (payer: string) => (payer.startsWith('0x') ? payer.toLowerCase() : payer)

async function describeEntry(
  call: Call,
  { payload, requirements }: Presentation,
  payer: string,
  payment: string,
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

/** Whether to keep the facilitator's response. Otherwise the call has an entry or an answer. */
async function isAccepted(candidate: Candidate): Promise<boolean> {
  const { call, entry, verified } = candidate
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const existing = await findOrClaim(candidate)
    if (existing === undefined) {
      if (verified.isValid) call.entry = entry
      return true
    }
    const decision = await decide(candidate, existing)
    if (decision === 'accept') return true
    if (decision === 'retry') continue
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
    if (existing.payment === entry.payment) return verified.isValid ? { refuse: PAYMENT_CONFLICT } : 'accept'
    // To anybody but the payer, a conflict would tell which identifiers the payer uses.
    return (await isProven(candidate)) ? { refuse: IDENTIFIER_CONFLICT } : 'accept'
  }
  // Nobody but the payer learns whether a purchase exists, or causes a settle.
  if (!(await mayRedeem(candidate, existing))) {
    return verified.isValid && existing.payment === entry.payment ? { refuse: PAYMENT_CONFLICT } : 'accept'
  }
  if (purchase.state === 'working') return { refuse: PENDING }
  if (purchase.state !== 'settling') return { redeem: existing }
  const state = await resolvePurchase(candidate.call.settings, candidate, existing)
  return state === 'pending' ? { refuse: PENDING } : 'retry'
}

/** Whether the caller has shown that it is the payer of a purchase that it can get, again if need be. */
async function mayRedeem(candidate: Candidate, { payment, purchase }: StoredPurchase): Promise<boolean> {
  if (payment !== candidate.entry.payment) return isProven(candidate)
  if (!isSamePresentation(purchase.payload, candidate.payload)) return false
  const { repeatSignatureMs, maxReruns } = candidate.call.settings
  const hasResponse = purchase.response !== undefined || (purchase.reruns ?? 0) < maxReruns
  return purchase.state !== 'delivered' || (hasResponse && (purchase.isNamed || repeatSignatureMs > 0))
}

/** Answers a call by what was stored, or lets the handler run again. Returns false if another call was faster. */
async function redeem(call: Call, entry: StoredPurchase): Promise<boolean> {
  const { store, redeemMs, maxReruns } = call.settings
  const { purchase } = entry
  if (purchase.response !== undefined) {
    call.entry = entry
    call.answer = { kind: 'redeem', response: purchase.response }
    call.isServed = true
    return true
  }
  const token = crypto.randomUUID()
  const reruns = (purchase.reruns ?? 0) + 1
  const isOver = reruns > maxReruns
  const next: StoredPurchase = isOver
    ? { ...entry, key: undefined, token, purchase: { ...purchase, state: 'delivered' } }
    : { ...entry, token, purchase: { ...purchase, reruns } }
  if (!(await store.replace(entry.token, next, redeemMs)) || isOver) return false
  call.entry = next
  return true
}
