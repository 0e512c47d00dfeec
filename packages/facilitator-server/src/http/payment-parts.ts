import { type FacilitatorContext, requireAccount } from '../context.ts'
import { decodePayment } from '../payments/decode/decode.ts'
import type { Engine } from '../payments/engine.ts'
import type { CheckOutcome } from '../payments/verify/check.ts'
import type { Supported } from './x402/x402-operations.ts'

/** What the payment routes of both HTTP APIs share. */
export interface PaymentParts {
  engine: Engine
  /** CAIP-2 networks that are served. */
  networks: ReadonlySet<string>
  supported: Supported
  version: string
  /** Returns 'ok' or the problem. */
  readStatus(): Promise<string>
}

/** Verifies the payment of a request. */
export async function checkPayment(
  { engine, networks }: PaymentParts,
  body: object,
  context: FacilitatorContext,
): Promise<CheckOutcome> {
  const account = requireAccount(context)
  const decoded = decodePayment(body, networks)
  if (!decoded.ok) return { kind: 'refused', reason: decoded.reason, message: decoded.message }
  return engine.check(decoded.payment, toEngineCall(context, account))
}

/** Converts a request's context to the engine's call. */
export function toEngineCall({ idempotencyKey }: FacilitatorContext, account: { id: number; payer: string }) {
  return { account, ...(idempotencyKey !== undefined && { idempotencyKey }) }
}
