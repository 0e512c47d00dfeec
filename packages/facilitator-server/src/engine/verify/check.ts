import {
  createReadPaymentStatus,
  type ExistingSettlement,
  type PaymentStatus,
  readInFlight,
} from '../../ledger/settlements/payment-status.ts'
import type { PayingAccount, Shortage } from '../../ledger/settlements/reserve.ts'
import { findByPayment, paymentKey } from '../../ledger/settlements/settlement.ts'
import type { Issue } from '../../payment/fields.ts'
import { differsAtMostInAmount } from '../../payment/fingerprint.ts'
import { isRepeatOf } from '../../payment/identifier.ts'
import type { PayerFunds, Payment, VerificationOutcome } from '../../payment/payment.ts'
import { reasons } from '../../payment/reasons.ts'
import { type EngineSettings, servesNetwork } from '../settings/engine-options.ts'
import { refusedForPayer } from '../settle/outcome.ts'

/** The outcome of a verify. */
export type CheckOutcome =
  | {
      readonly kind: 'valid'
      readonly payer: string
      /** What stock sellers of the scheme read. */
      readonly extra?: { readonly [name: string]: string | number }
    }
  | {
      readonly kind: 'refused'
      readonly reason: string
      readonly message?: string
      /** The fields at fault, if the request itself is malformed. */
      readonly issues?: readonly Issue[]
      readonly payer?: string
    }
  | { readonly kind: 'insufficient'; readonly shortage: Shortage }

interface CheckCall {
  readonly account: PayingAccount
  readonly idempotencyKey?: string
  readonly repeatsSuccess?: boolean
}

export type AffordabilityCheck = (payment: Payment, call: CheckCall) => Promise<CheckOutcome>

/**
 * Creates the function that verifies a payment for a seller who works before settling: the payment is valid,
 * its success was not delivered before, and the account can pay for the settle.
 */
export function createCheck(settings: EngineSettings): AffordabilityCheck {
  const { db, price, revertLimits, verifier } = settings
  const readStatus = createReadPaymentStatus(db, price, revertLimits)
  return async (payment, call) => {
    const { network, payer, scheme } = payment
    if (!servesNetwork(settings, network)) {
      return { kind: 'refused', reason: 'invalid_network', message: `${network} is not served here`, payer }
    }
    if (scheme.settleOnly !== undefined) return { kind: 'refused', ...scheme.settleOnly, payer }
    // It costs nothing, so that nothing is held.
    if (scheme.isVerifiedOnly)
      return respondForVerified(settings, payment, call, await verifier?.verify(payment))
    // The chain and the database are read at once. For a payment that has a settlement, the chain does not
    // matter.
    const verification = verifier?.verify(payment, { simulate: true })
    verification?.catch(() => {})
    const status = await readStatus({ payment, accountId: call.account.id })
    const { existing } = status
    if (existing === undefined) return checkPayable(settings, payment, call, status, verification)
    const isSamePayment = await isSame(db, existing, payment, call)
    return isSamePayment && existing.state === 'not_sent'
      ? checkPayable(settings, payment, call, status, verification)
      : checkExisting(existing, isSamePayment, payment, call)
  }
}

/**
 * Responds for a payment that was verified. Stores what the account can claim of a valid one before: a seller that
 * relies on it can claim it even if it loses its own.
 */
async function respondForVerified(
  { storeClaim }: EngineSettings,
  payment: Payment,
  { account }: CheckCall,
  verified: VerificationOutcome | undefined,
): Promise<CheckOutcome> {
  const { payer } = payment
  if (verified?.isValid === false) return toRefused(verified, payer)
  const problem = verified?.isClaimable ? await storeClaim?.(payment, account.id) : undefined
  if (problem !== undefined)
    return { kind: 'refused', reason: reasons.verifyError, message: `${problem}. Retry later`, payer }
  return { kind: 'valid', payer, ...(verified?.extra && { extra: verified.extra }) }
}

function toRefused(verified: VerificationOutcome & { isValid: false }, payer: string): CheckOutcome {
  const { invalidReason: reason, invalidMessage: message } = verified
  return { kind: 'refused', reason, payer: verified.payer ?? payer, ...(message && { message }) }
}

/** Whether the account has presented the payment before. */
async function isSame(
  db: EngineSettings['db'],
  existing: ExistingSettlement,
  payment: Payment,
  { account }: CheckCall,
): Promise<boolean> {
  if (existing.accountId !== account.id) return false
  if (existing.fingerprint === payment.fingerprint) return true
  if (!payment.scheme.isMetered) return false
  const settlement = await findByPayment(db, paymentKey(payment))
  return settlement !== undefined && differsAtMostInAmount(payment, settlement)
}

/** Checks a payment whose price is already held or charged, or that failed. */
function checkExisting(
  existing: ExistingSettlement,
  isSamePayment: boolean,
  payment: Payment,
  call: CheckCall,
): CheckOutcome {
  const { payer } = payment
  if (isSamePayment && existing.state === 'failed') {
    return { kind: 'refused', reason: existing.reason ?? 'unexpected_settle_error', payer }
  }
  const isFirstCaller = call.idempotencyKey !== undefined && existing.idempotencyKey === call.idempotencyKey
  // Held or charged, and the success can still be delivered. The chain would report a used nonce.
  const isRepeat = isFirstCaller || isRepeatOf(existing, payment, call)
  if (isSamePayment && (!existing.isDelivered || isRepeat)) return { kind: 'valid', payer }
  return {
    kind: 'refused',
    reason: 'duplicate_settlement',
    message: 'This payment was presented before',
    payer,
  }
}

async function checkPayable(
  settings: EngineSettings,
  payment: Payment,
  call: CheckCall,
  status: PaymentStatus,
  verification: Promise<VerificationOutcome> | undefined,
): Promise<CheckOutcome> {
  const { db } = settings
  const { payer } = payment
  if (status.shortage !== undefined) return { kind: 'insufficient', shortage: status.shortage }
  if (status.reverted) return refusedForPayer(payment, 'reverts')
  const verified = await verification
  if (verified?.isValid === false) return toRefused(verified, payer)
  // Known to be the payer's own request from here on. To anybody else, it would reveal which identifiers the
  // payer uses.
  if (status.identifierUsed) return refusedForPayer(payment, 'identifier')
  const funds = verified?.funds
  if (funds !== undefined) {
    if (!(await coversBalance(db, payment, status, funds))) return refusedForPayer(payment, 'funds')
    if (!(await coversAllowance(db, payment, status, funds))) return refusedForPayer(payment, 'allowance')
  }
  return respondForVerified(settings, payment, call, verified)
}

/** Whether the balance covers the payment together with what is in flight. */
async function coversBalance(
  db: EngineSettings['db'],
  payment: Payment,
  { maxInFlight }: PaymentStatus,
  funds: PayerFunds,
): Promise<boolean> {
  if (maxInFlight !== undefined && funds.balance >= payment.amount + maxInFlight) return true
  return funds.balance >= payment.amount + (await readInFlight(db, payment, funds))
}

/** Whether what the payer has approved covers the payment together with payments in flight. */
async function coversAllowance(
  db: EngineSettings['db'],
  payment: Payment,
  { maxInFlight }: PaymentStatus,
  funds: PayerFunds,
): Promise<boolean> {
  const { allowance } = funds
  if (allowance === undefined || maxInFlight === 0n) return true
  const inFlight = await readInFlight(db, payment, funds, { domain: payment.domain })
  return allowance === 'own' ? inFlight === 0n : allowance >= payment.amount + inFlight
}
