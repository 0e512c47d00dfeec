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

/** The contract that keeps the nonces of Permit2 on every chain. */
const PERMIT2 = '0x000000000022d473030f116ddee9f6b43ac78ba3'

/** Returns what identifies a payment at the facilitator: a payer can sign one nonce for several contracts. */
async function identify({ payer, payload, requirements: { network, asset } }: SignedPayment) {
  const { authorization, permit2Authorization, transaction } = payload.payload
  const signed = isRecord(authorization) ? authorization : permit2Authorization
  if (isRecord(signed)) {
    const contract = signed === authorization ? asset : PERMIT2
    return { network, payer, nonce: String(signed.nonce), contract }
  }
  const message = await crypto.subtle.digest('SHA-256', readTransactionMessage(String(transaction)))
  return { network, payer, nonce: `0x${Buffer.from(message).toString('hex')}`, contract: asset }
}
