import { Address, Amount, Integer, NotFoundError, record, type Schema, Timestamp } from '@mintmark/envelope'
import { facilitatorOperation, pagedFacilitatorOperation } from '@mintmark/operation'
import * as v from 'valibot'
import { INVALID_QUOTA_SIGNATURE, PAYER_MISMATCH, QUOTA_NONCE_USED } from './rules.ts'

const payerQuota = record({
  /** The quota's id. */
  id: Integer,
  /** The paying wallet, in lower case. */
  payer: v.string(),
  /** The most that may be charged under it, in wei. */
  limit: Amount,
  /** Charged so far, in wei. */
  used: Amount,
  /** Held for settles whose outcome is open, in wei. */
  held: Amount,
  /** What can still be charged, in wei. */
  remaining: Amount,
  /** Seconds since the epoch. */
  validAfter: Integer,
  /** Seconds since the epoch. */
  validBefore: Integer,
  /** The number that the payer signed it with, a decimal text. */
  nonce: v.string(),
  /** `ACTIVE`, `PENDING` (not valid yet), `EXPIRED`, `REPLACED` or `REVOKED`. */
  status: v.string(),
  /** When it was registered. */
  createTime: Timestamp,
  /** When it was replaced or revoked. */
  endTime: v.optional(Timestamp),
  /** The account's balance, in wei; the active quota shows it. */
  balance: v.optional(Amount),
})
/** What a payer allows the facilitator to charge. */
export interface PayerQuota extends v.InferOutput<typeof payerQuota> {}
export const PayerQuota: Schema<PayerQuota> = payerQuota

const signingDomainData = record({
  /** The EIP-712 domain, as `signTypedData` takes it. */
  domain: record({ name: v.string(), version: v.string(), chainId: Integer, verifyingContract: v.string() }),
  /** The EIP-712 types: the fields of `PayerQuota` and of `RevokePayerQuota`. */
  types: v.record(v.string(), v.array(record({ name: v.string(), type: v.string() }))),
  /** The facilitator's own address, which a quota names. */
  facilitator: v.string(),
  /** The next nonce of the account behind the key; absent without one. */
  nextNonce: v.optional(v.string()),
})
/** What quotas and revocations are signed under (EIP-712). */
export interface SigningDomain extends v.InferOutput<typeof signingDomainData> {}
export const SigningDomain: Schema<SigningDomain> = signingDomainData

/** An ECDSA signature, or the longer one of a contract wallet (ERC-1271). */
const Signature: Schema<string> = v.pipe(
  v.string(),
  v.regex(/^0x(?:[0-9a-fA-F]{2}){1,4096}$/, 'Expected 0x and hexadecimal digits'),
)
const Seconds = v.pipe(Integer, v.minValue(0, 'Expected seconds since the epoch'))

const params = {
  /** The paying wallet: the account's own. */
  payer: Address,
}

/** Get EIP-712 Signing Domain: what quotas and revocations are signed under, with the account's next nonce where a key asks. */
export const signingDomain = facilitatorOperation({
  id: 'payerQuotas.signingDomain',
  method: 'GET',
  path: '/payer-quotas/signing-domain',
  source: 'name',
  data: SigningDomain,
})

/** Register or Update Payer Quota: the new one replaces the active one and begins with nothing used. See `signPayerQuota`. */
export const register = facilitatorOperation({
  id: 'payerQuotas.register',
  method: 'PUT',
  path: '/payer-quotas/{payer}',
  source: 'name',
  scope: 'quotas:write',
  params,
  body: {
    /** The most that may be charged, in wei. */
    limit: Amount,
    /** Seconds since the epoch. */
    validAfter: Seconds,
    /** Seconds since the epoch; after `validAfter`. */
    validBefore: Seconds,
    /** Larger than the last one. */
    nonce: Amount,
    /** The payer's, over PayerQuota. */
    signature: Signature,
  },
  data: PayerQuota,
  errors: [PAYER_MISMATCH, INVALID_QUOTA_SIGNATURE, QUOTA_NONCE_USED],
})

/** Get Active Payer Quota, with what is used, held and left of it and the account's balance. */
export const active = facilitatorOperation({
  id: 'payerQuotas.active',
  method: 'GET',
  path: '/payer-quotas/{payer}',
  source: 'name',
  scope: 'quotas:read',
  params,
  data: PayerQuota,
  errors: [NotFoundError, PAYER_MISMATCH],
})

/** Revoke Payer Quota. What is held for settles under way is still charged. See `signRevocation`. */
export const revoke = facilitatorOperation({
  id: 'payerQuotas.revoke',
  method: 'DELETE',
  path: '/payer-quotas/{payer}',
  source: 'name',
  scope: 'quotas:write',
  params,
  query: {
    /** Larger than the last one. */
    nonce: Amount,
    /** The payer's, over RevokePayerQuota. */
    signature: Signature,
  },
  data: PayerQuota,
  errors: [NotFoundError, PAYER_MISMATCH, INVALID_QUOTA_SIGNATURE, QUOTA_NONCE_USED],
})

/** List Payer Quota History, newest first. */
export const history = pagedFacilitatorOperation({
  id: 'payerQuotas.history',
  method: 'GET',
  path: '/payer-quotas/{payer}/history',
  source: 'name',
  scope: 'quotas:read',
  params,
  item: PayerQuota,
  errors: [PAYER_MISMATCH],
})
