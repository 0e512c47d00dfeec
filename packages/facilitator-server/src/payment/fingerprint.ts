import { hash } from 'node:crypto'
import type { Payment } from './payment.ts'

/** The fields that identify a payment. The version, the HTTP API and the name of the network do not. */
export type FingerprintInput = Pick<
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
  | 'domain'
  | 'permit2'
> &
  Partial<Pick<Payment, 'channel'>>

/** Computes the SHA-256, in hex, of the decoded authorization, signature and terms. */
export function fingerprint(payment: FingerprintInput): string {
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
    payment.domain,
    // The payer's approval of Permit2 is no term: it can be sent by anybody before.
    payment.permit2?.maximum.toString(),
    payment.permit2?.facilitator,
    ...listDepositTerms(payment),
  ]
  // JSON separates the fields: a name that contains a separator cannot imitate two fields.
  return hash('sha256', JSON.stringify(fields))
}

/**
 * Whether a settlement is of the same payment in the scheme upto, for this or another amount: verify names the
 * maximum, and settle what was used.
 */
export const differsAtMostInAmount = (
  payment: FingerprintInput,
  settlement: { readonly fingerprint: string; readonly amount: string },
): boolean =>
  payment.scheme === 'upto' &&
  fingerprint({ ...payment, amount: BigInt(settlement.amount) }) === settlement.fingerprint

/**
 * Lists the voucher of a deposit: what pays for the request. Otherwise a deposit whose success was not
 * delivered could be presented again with a worthless voucher, or as a deposit into another channel of a
 * contract wallet that accepts every signature. Other payments have no further element.
 */
function listDepositTerms({ channel }: FingerprintInput): readonly string[] {
  if (channel?.kind !== 'deposit') return []
  const { channelId, maximum, signature } = channel.voucher
  return [channelId, maximum.toString(), signature]
}
