import { payments } from '@mintmark/facilitator'
import { Refusal, type Route } from '@mintmark/server-kit'
import { accountOf, type FacilitatorContext, implement } from '../context.ts'
import { STOCK_SOFTWARE_NOTICE } from './native/stock-software.ts'
import * as x402 from './x402/x402-operations.ts'
import type { Engine } from '../payments/engine.ts'
import { decodePayment } from '../payments/decode/decode.ts'
import type { CheckOutcome } from '../payments/verify/check.ts'
import { rootSettleAnswer, rootVerifyAnswer, x402SettleAnswer, x402VerifyAnswer } from './settle-responses.ts'

export interface PaymentParts {
  engine: Engine
  /** CAIP-2 networks that payments are taken on. */
  networks: ReadonlySet<string>
  supported: x402.Supported
  version: string
  /** 'ok', or what is amiss. */
  status(): Promise<string>
}

/** Both doors of verify, settle and supported. */
export function paymentRoutes(parts: PaymentParts): {
  root: readonly Route<FacilitatorContext>[]
  x402: readonly Route<FacilitatorContext>[]
} {
  const { engine, networks, supported } = parts

  async function verify(body: object, context: FacilitatorContext): Promise<CheckOutcome> {
    const account = accountOf(context)
    const decoded = decodePayment(body, networks)
    if (!decoded.ok) return { kind: 'refused', reason: decoded.reason, message: decoded.message }
    return engine.check(decoded.payment, callOf(context, account))
  }

  const root = implement(payments, {
    async health() {
      const status = await parts.status()
      if (status !== 'ok') throw new Refusal(503, status, { reason: 'Unavailable' })
      return { status, version: parts.version, chains: [...networks] }
    },
    supported: () => ({
      notice: STOCK_SOFTWARE_NOTICE,
      paymentKinds: supported.kinds,
      extensions: supported.extensions,
      signers: supported.signers,
    }),
    verify: async (body, context) => rootVerifyAnswer(await verify(body, context)),
    async settle(body, context) {
      const account = accountOf(context)
      const decoded = decodePayment(body, networks)
      if (!decoded.ok) {
        const { reason, message, issues } = decoded
        throw new Refusal(400, message, { reason, ...(issues && { issues }) })
      }
      const outcome = await engine.settle(decoded.payment, { ...callOf(context, account), api: 'native' })
      const settlement = rootSettleAnswer(outcome)
      context.headers.set('payment-response', Buffer.from(JSON.stringify(settlement)).toString('base64'))
      return settlement
    },
  })

  const below = implement(x402, {
    supported: () => supported,
    verify: async (body, context) => x402VerifyAnswer(await verify(body, context)),
    async settle(body, context) {
      const account = accountOf(context)
      const decoded = decodePayment(body, networks)
      if (!decoded.ok) {
        return {
          success: false,
          errorReason: decoded.reason,
          errorMessage: decoded.message,
          transaction: '',
          network: namedNetwork(body),
        }
      }
      const outcome = await engine.settle(decoded.payment, { ...callOf(context, account), api: 'x402' })
      return x402SettleAnswer(outcome, decoded.payment)
    },
  })
  return { root, x402: below }
}

function callOf({ idempotencyKey }: FacilitatorContext, account: { id: number; payer: string }) {
  return { account, ...(idempotencyKey !== undefined && { idempotencyKey }) }
}

/** The network as far as the request names one: x402's answer asks for it. */
function namedNetwork(body: object): string {
  const requirements = 'paymentRequirements' in body ? body.paymentRequirements : undefined
  const network =
    typeof requirements === 'object' && requirements !== null && 'network' in requirements
      ? requirements.network
      : ''
  return typeof network === 'string' ? network : ''
}
