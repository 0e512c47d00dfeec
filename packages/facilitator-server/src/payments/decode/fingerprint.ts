import { hash } from 'node:crypto'
import type { Payment } from '../payment.ts'

/** What makes a payment that payment; the version, the door and the wording of its network do not. */
export type Fingerprinted = Pick<
  Payment,
  | 'scheme'
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
>

/** SHA-256, hex, over the decoded authorization, signature and terms. */
export function fingerprint(payment: Fingerprinted): string {
  const fields = [
    payment.scheme,
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
  ]
  // JSON keeps the fields apart: a name that contains a separator cannot imitate two fields.
  return hash('sha256', JSON.stringify(fields))
}
