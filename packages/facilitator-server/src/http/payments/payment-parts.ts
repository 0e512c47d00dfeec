import { removeAddress } from '@mintmark/evm-reader'
import { type Discovery, encodeResponses, type SettleListing } from '../../catalog/discovery.ts'
import type { PaymentApi } from '../../database/tables.ts'
import type { Engine } from '../../engine/engine.ts'
import type { SettleOutcome } from '../../engine/settle/outcome.ts'
import type { CheckOutcome } from '../../engine/verify/check.ts'
import { reasons } from '../../payment/reasons.ts'
import { decodePayment } from '../../schemes/decode.ts'
import type {
  PreparedPayment,
  Served,
  ServedPayment,
  SettleContext,
  SettlingCall,
} from '../../schemes/scheme.ts'
import { type FacilitatorContext, requireAccount } from '../context/context.ts'
import { isUnavailable, UNAVAILABLE_RETRY_AFTER } from './settle-responses.ts'
import type { Supported } from './x402-operations.ts'

/** What the payment routes of both HTTP APIs share. */
export interface PaymentParts {
  engine: Engine
  discovery: Discovery
  settleContext: SettleContext
  served: Served
  getSupported(accountId: number | undefined): Promise<Supported>
  version: string
  /** Returns 'ok' or the problem. */
  readStatus(): Promise<string>
}

/** Verifies the payment of a request. */
export async function checkPayment(
  { engine, served }: PaymentParts,
  body: object,
  context: FacilitatorContext,
): Promise<CheckOutcome> {
  const account = requireAccount(context)
  const decoded = decodePayment(body, served)
  if (!decoded.ok) {
    const { ok: _, ...refusal } = decoded
    return { kind: 'refused', ...refusal }
  }
  const outcome = await engine.check(decoded.payment, toEngineCall(context, account))
  addRetryAfter(outcome, context)
  return outcome
}

/** Adds Retry-After to the response for a payment on a network that cannot settle now. */
function addRetryAfter(outcome: CheckOutcome | SettleOutcome, { headers }: FacilitatorContext): void {
  if (isUnavailable(outcome)) headers.set('retry-after', String(UNAVAILABLE_RETRY_AFTER))
}

/** Converts a request's context to the engine's call. */
function toEngineCall(
  { idempotencyKey, repeatsSuccess }: FacilitatorContext,
  account: { id: number; payer: string },
) {
  return { account, repeatsSuccess, ...(idempotencyKey !== undefined && { idempotencyKey }) }
}

/**
 * Settles the payment of a request and adds what the facilitator did with its extensions to the response: the
 * header EXTENSION-RESPONSES, which a stock server keeps for itself.
 */
export async function settlePayment(
  { settleContext, discovery, engine }: PaymentParts,
  decoded: ServedPayment,
  context: FacilitatorContext,
  api: PaymentApi,
): Promise<SettleOutcome> {
  const account = requireAccount(context)
  const call = toEngineCall(context, account)
  const prepared = await prepareSettle(settleContext, decoded, call)
  if (!prepared.ok) {
    const { reason, message } = prepared
    return { kind: 'refused', reason, message, payer: decoded.payer }
  }
  const { payment } = prepared
  const listing = discovery.open(payment, account.id)
  const outcome = await engine.settle(payment, {
    ...call,
    api,
    signal: context.getSignal(),
    onUndelivered: context.onUndelivered,
    onReserved: (settlementId) => listing.stage(settlementId),
  })
  addRetryAfter(outcome, context)
  if (outcome.kind !== 'settled') return outcome
  await addExtensionResponses(listing, context)
  return addDescription(settleContext, prepared, outcome)
}

async function prepareSettle(
  context: SettleContext,
  payment: ServedPayment,
  call: SettlingCall,
): Promise<PreparedPayment> {
  try {
    return (await payment.scheme.prepareSettle?.(context, payment, call)) ?? { ok: true, payment }
  } catch (error) {
    context.report(removeAddress(error))
    const message = 'The chain or the database could not be read. Nothing was sent'
    return { ok: false, reason: reasons.settleError, message }
  }
}

/** Adds what the settlement did. It is missing if the chain cannot be read: the payment is settled all the same. */
async function addDescription(
  { report }: SettleContext,
  { describe }: PreparedPayment & { ok: true },
  outcome: SettleOutcome & { kind: 'settled' },
): Promise<SettleOutcome> {
  const described = await describe?.(outcome.settlement.transaction).catch((error: unknown) => {
    report(removeAddress(error))
    return undefined
  })
  if (described === undefined) return outcome
  const { extra, amount } = described
  const settlement = {
    ...outcome.settlement,
    ...(extra && { extra }),
    ...(amount !== undefined && { amount }),
  }
  return { ...outcome, settlement }
}

async function addExtensionResponses(listing: SettleListing, { headers }: FacilitatorContext): Promise<void> {
  const responses = await listing.readResponses()
  if (responses !== undefined) headers.set('extension-responses', encodeResponses(responses))
}
