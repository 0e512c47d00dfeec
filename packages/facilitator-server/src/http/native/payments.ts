import type { Chains } from '@mintmark/evm-reader'
import { payments } from '@mintmark/facilitator'
import { HttpError, type Route } from '@mintmark/server-kit'
import { decodePayment } from '../../schemes/decode.ts'
import { type FacilitatorContext, implement } from '../context/context.ts'
import { checkPayment, type PaymentParts, settlePayment } from '../payments/payment-parts.ts'
import { toNativeSettleResponse, toNativeVerifyResponse } from '../payments/settle-responses.ts'
import { readPaymentStatus } from './payment-status.ts'
import { STOCK_SOFTWARE_NOTICE } from './stock-software.ts'

/** Creates the routes of verify, settle, supported, health and of payments' status in the native API. */
export function nativePaymentRoutes(
  parts: PaymentParts,
  chains: Pick<Chains, 'byNetwork'>,
): readonly Route<FacilitatorContext>[] {
  const { served, getSupported } = parts
  return implement(payments, {
    async health() {
      const status = await parts.readStatus()
      if (status !== 'ok') throw new HttpError(503, status, { reason: 'Unavailable' })
      return { status, version: parts.version, chains: [...served.networks] }
    },
    async supported(_, { account }) {
      const { kinds, extensions, signers, finality } = await getSupported(account?.id)
      return { notice: STOCK_SOFTWARE_NOTICE, paymentKinds: kinds, extensions, signers, finality }
    },
    verify: async (body, context) => toNativeVerifyResponse(await checkPayment(parts, body, context)),
    async settle(body, context) {
      const decoded = decodePayment(body, served)
      if (!decoded.ok) {
        const { reason, message, issues } = decoded
        throw new HttpError(400, message, { reason, issues })
      }
      const settlement = toNativeSettleResponse(
        await settlePayment(parts, decoded.payment, context, 'native'),
        decoded.payment,
      )
      context.headers.set('payment-response', Buffer.from(JSON.stringify(settlement)).toString('base64'))
      return settlement
    },
    get: (input, context) => readPaymentStatus(chains, input, context),
  })
}
