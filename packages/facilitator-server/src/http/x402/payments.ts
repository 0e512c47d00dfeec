import type { Route } from '@mintmark/server-kit'
import { decodePayment } from '../../schemes/decode.ts'
import { readNetwork } from '../../schemes/read-payer.ts'
import { type FacilitatorContext, implement } from '../context/context.ts'
import { checkPayment, type PaymentParts, settlePayment } from '../payments/payment-parts.ts'
import { toX402SettleResponse, toX402VerifyResponse } from '../payments/settle-responses.ts'
import * as x402 from '../payments/x402-operations.ts'

/** Creates the routes of verify, settle and supported in the x402 API. */
export function x402PaymentRoutes(parts: PaymentParts): readonly Route<FacilitatorContext>[] {
  const { served, getSupported } = parts
  return implement(x402, {
    supported: (_, { account }) => getSupported(account?.id),
    verify: async (body, context) => toX402VerifyResponse(await checkPayment(parts, body, context)),
    async settle(body, context) {
      const decoded = decodePayment(body, served)
      if (!decoded.ok) {
        const { reason, message, issues, payer } = decoded
        return {
          success: false,
          errorReason: reason,
          errorMessage: message,
          issues: [...issues],
          ...(payer !== undefined && { payer }),
          transaction: '',
          network: readNetwork(body),
        }
      }
      const outcome = await settlePayment(parts, decoded.payment, context, 'x402')
      // The status is 200, so that no error sets it.
      if ('retryAfter' in outcome) context.headers.set('retry-after', String(outcome.retryAfter))
      return toX402SettleResponse(outcome, decoded.payment)
    },
  })
}
