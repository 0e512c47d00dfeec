import type { Route } from '@mintmark/server-kit'
import { type FacilitatorContext, implement } from '../../context.ts'
import { decodePayment } from '../../payments/decode/decode.ts'
import { checkPayment, type PaymentParts, settlePayment } from '../payment-parts.ts'
import { toX402SettleResponse, toX402VerifyResponse } from '../settle-responses.ts'
import * as x402 from './x402-operations.ts'

/** Creates the routes of verify, settle and supported in the x402 API. */
export function x402PaymentRoutes(parts: PaymentParts): readonly Route<FacilitatorContext>[] {
  const { served, getSupported } = parts
  return implement(x402, {
    supported: (_, { account }) => getSupported(account?.id),
    verify: async (body, context) => toX402VerifyResponse(await checkPayment(parts, body, context)),
    async settle(body, context) {
      const decoded = decodePayment(body, served)
      if (!decoded.ok) {
        return {
          success: false,
          errorReason: decoded.reason,
          errorMessage: decoded.message,
          transaction: '',
          network: readNetwork(body),
        }
      }
      const outcome = await settlePayment(parts, decoded.payment, context, 'x402')
      return toX402SettleResponse(outcome, decoded.payment)
    },
  })
}

/** Reads the network of a request that could not be decoded, because an x402 response requires one. */
function readNetwork(body: object): string {
  const requirements = 'paymentRequirements' in body ? body.paymentRequirements : undefined
  const network =
    typeof requirements === 'object' && requirements !== null && 'network' in requirements
      ? requirements.network
      : ''
  return typeof network === 'string' ? network : ''
}
