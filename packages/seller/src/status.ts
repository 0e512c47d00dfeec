import { NotFoundError } from '@mintmark/envelope'
import { payments } from '@mintmark/facilitator'
import type { FacilitatorClient } from '@mintmark/operation'
import type { PaymentStatus, SellerOptions, SignedPayment } from './options.ts'
import { isRecord, readTransactionMessage } from './purchase.ts'

/**
 * Creates the `status` of a seller whose payments a Mintmark facilitator settles.
 *
 * @param facilitator A client with the key of the seller's account, of `createFacilitator`.
 *
 * @example
 * ```ts
 * const status = createPaymentStatus(createFacilitator({ baseUrl, credentials: { token } }))
 * ```
 */
export function createPaymentStatus(facilitator: FacilitatorClient): NonNullable<SellerOptions['status']> {
  return async (payment) => {
    try {
      const { state, transaction } = await payments.get(facilitator, await identify(payment))
      if (state === 'settled') return { state: 'settled', transaction }
      return { state: toState(state) }
    } catch (error) {
      if (error instanceof NotFoundError) return { state: 'unknown' }
      throw error
    }
  }
}

/** A payment that was not sent is like one that never arrived: it can still be settled. */
const toState = (state: string): Exclude<PaymentStatus['state'], 'settled'> => {
  if (state === 'failed') return 'failed'
  return state === 'not_sent' ? 'unknown' : 'pending'
}

/** Returns what identifies a payment at the facilitator. */
async function identify({ payer, payload, requirements: { network } }: SignedPayment) {
  const { authorization, permit2Authorization, transaction } = payload.payload
  const signed = isRecord(authorization) ? authorization : permit2Authorization
  if (isRecord(signed)) return { network, payer, nonce: String(signed.nonce) }
  const message = await crypto.subtle.digest('SHA-256', readTransactionMessage(String(transaction)))
  return { network, payer, nonce: `0x${Buffer.from(message).toString('hex')}` }
}
