import { hash } from 'node:crypto'
import type { Payment } from './payment.ts'

/** The fields that identify a payment. The version, the HTTP API and the name of the network do not. */
export type FingerprintInput = Pick<
  Payment,
  | 'scheme'
  | 'details'
  | 'network'
  | 'asset'
  | 'payTo'
  | 'payer'
  | 'amount'
  | 'validAfter'
  | 'validBefore'
  | 'nonce'
  | 'signature'
  | 'domainName'
  | 'domainVersion'
  | 'domain'
>

/** Computes the SHA-256, in hex, of the decoded authorization, signature and terms. */
export function fingerprint(payment: FingerprintInput): string {
  const fields = [
    payment.scheme.name,
    payment.network,
    payment.asset,
    payment.domainName,
    payment.domainVersion,
    payment.payer,
    payment.payTo,
    payment.amount.toString(),
    payment.validAfter.toString(),
    payment.validBefore.toString(),
    payment.nonce,
    payment.signature,
    payment.domain,
    ...payment.scheme.listTerms(payment.details),
  ]
  // JSON separates the fields: a name that contains a separator cannot imitate two fields.
  return hash('sha256', JSON.stringify(fields))
}

/**
 * Whether a settlement is of the same metered payment, for this or another amount: verify names the maximum, and
 * settle what was used.
 */
export const differsAtMostInAmount = (
  payment: FingerprintInput,
  settlement: { readonly fingerprint: string; readonly amount: string },
): boolean =>
  payment.scheme.isMetered === true &&
  fingerprint({ ...payment, amount: BigInt(settlement.amount) }) === settlement.fingerprint
