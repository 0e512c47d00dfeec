import type { Payment } from '../../../payment/payment.ts'
import type { SvmTerms } from './svm-terms.ts'

/** A payment on Solana. */
export type SvmPayment = Payment & { readonly svm: SvmTerms }

export const isSvmPayment = (payment: Payment): payment is SvmPayment => payment.svm !== undefined
