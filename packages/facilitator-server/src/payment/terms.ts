import type { Payment } from './payment.ts'

/** A seller's terms, from requirements of either version. */
export interface Terms {
  /** The name of the scheme. */
  scheme: string
  wireNetwork: string
  asset: string
  payTo: string
  amount: bigint
  maxTimeoutSeconds: number
  domainName: string
  domainVersion: string
}

/** What a payer signed, and for which contract's nonces. */
export type Authorized = Pick<
  Payment,
  | 'payer'
  | 'nonce'
  | 'signature'
  | 'validAfter'
  | 'validBefore'
  | 'domain'
  | 'domainName'
  | 'domainVersion'
  | 'details'
>
