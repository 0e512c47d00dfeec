import type { Payment } from '../../../payment/payment.ts'
import type { ServedScheme } from '../../scheme.ts'
import type { SvmTerms } from './svm-terms.ts'

/** Transfers of tokens on Solana. The nonce of a payment is the hash of its message, which has all terms. */
export const exactSvm: ServedScheme<SvmTerms> = {
  name: 'exact',
  namespace: 'solana',
  // Operators see no other method of a transfer that the payer has signed.
  method: 'eip3009',
  listTerms: () => [],
  listKinds: (network, { feePayer }) => [{ x402Version: 2, scheme: 'exact', network, extra: { feePayer } }],
}

export type SvmPayment = Payment<SvmTerms>
