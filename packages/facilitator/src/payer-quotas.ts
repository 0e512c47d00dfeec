import { Address, Amount, Integer, NotFoundError, record, type Schema, Timestamp } from '@mintmark/envelope'
import { facilitatorOperation, type InputOf, pagedFacilitatorOperation } from '@mintmark/operation'
import * as v from 'valibot'
import { Seconds, Signature } from './fields.ts'
import { INVALID_QUOTA_SIGNATURE, PAYER_MISMATCH, QUOTA_NONCE_USED } from './rules.ts'

/** The status of a payer quota. `PENDING`: not valid yet. */
export type PayerQuotaStatus = 'ACTIVE' | 'PENDING' | 'EXPIRED' | 'REPLACED' | 'REVOKED'

// A newer server may return further values, so the type of the record is open.
const status: Schema<PayerQuotaStatus | (string & {})> = v.string()

const payerQuota = record({
  /** The quota's id. */
  id: Integer,
  /** The paying wallet, in lower case. */
  payer: v.string(),
  /** The maximum that the facilitator may charge, in wei. */
  limit: Amount,
  /** The amount charged so far, in wei. */
  used: Amount,
  /** The amount held for settlements without a final outcome, in wei. */
  held: Amount,
  /** The amount that can still be charged, in wei. */
  remaining: Amount,
  /** When the quota becomes valid, in seconds since the epoch. */
  validAfter: Integer,
  /** When the quota expires, in seconds since the epoch. */
  validBefore: Integer,
  /** The nonce of the payer's signature, as a decimal text. */
  nonce: v.string(),
  /** `ACTIVE`, `PENDING` (not valid yet), `EXPIRED`, `REPLACED` or `REVOKED`. */
  status,
  /** When the quota was registered. */
  createTime: Timestamp,
  /** When the quota was replaced or revoked; absent before. */
  endTime: v.optional(Timestamp),
  /** The account's balance, in wei. Only `active` returns it. */
  balance: v.optional(Amount),
})
/** A payer's permission for the facilitator to charge up to a limit. */
export interface PayerQuota extends v.InferOutput<typeof payerQuota> {}
export const PayerQuota: Schema<PayerQuota> = payerQuota

const signingDomainData = record({
  /** The EIP-712 domain for `signTypedData`. */
  domain: record({ name: v.string(), version: v.string(), chainId: Integer, verifyingContract: v.string() }),
  /** The EIP-712 types: the fields of `PayerQuota` and of `RevokePayerQuota`. */
  types: v.record(v.string(), v.array(record({ name: v.string(), type: v.string() }))),
  /** The facilitator's address, which a quota contains. */
  facilitator: v.string(),
  /** The account's next nonce; absent without a key. */
  nextNonce: v.optional(v.string()),
})
/** The EIP-712 domain and types of quotas and revocations. */
export interface SigningDomain extends v.InferOutput<typeof signingDomainData> {}
export const SigningDomain: Schema<SigningDomain> = signingDomainData

const params = {
  /** The paying wallet: the account's own. */
  payer: Address,
}

/**
 * Returns the EIP-712 domain and types that quotas and revocations are signed with. With a key, also returns
 * the account's next nonce.
 *
 * @example
 * const signing = await payerQuotas.signingDomain(facilitator)
 * const quota = await signPayerQuota(wallet, signing, { limit: 2n * 10n ** 17n, validBefore: 1_800_000_000 })
 */
export const signingDomain = facilitatorOperation({
  id: 'payerQuotas.signingDomain',
  method: 'GET',
  path: '/payer-quotas/signing-domain',
  source: 'name',
  data: SigningDomain,
})

/**
 * Registers a payer quota that `signPayerQuota` signed. It replaces the active quota and starts with nothing
 * used. Amounts are in wei, times in seconds since the epoch. Rules: `PAYER_MISMATCH`,
 * `INVALID_QUOTA_SIGNATURE`, `QUOTA_NONCE_USED`.
 *
 * @example
 * const signing = await payerQuotas.signingDomain(facilitator)
 * const signed = await signPayerQuota(wallet, signing, { limit: 2n * 10n ** 17n, validBefore: 1_800_000_000 })
 * const quota = await payerQuotas.register(facilitator, signed)
 */
export const register = facilitatorOperation({
  id: 'payerQuotas.register',
  method: 'PUT',
  path: '/payer-quotas/{payer}',
  source: 'name',
  scope: 'quotas:write',
  params,
  body: {
    /** The maximum that the facilitator may charge, in wei. */
    limit: Amount,
    /** When the quota becomes valid, in seconds since the epoch. */
    validAfter: Seconds,
    /** When the quota expires, in seconds since the epoch; after `validAfter`. */
    validBefore: Seconds,
    /** A nonce larger than every previous one. */
    nonce: Amount,
    /** The payer's EIP-712 signature of `PayerQuota`. */
    signature: Signature,
  },
  data: PayerQuota,
  errors: [PAYER_MISMATCH, INVALID_QUOTA_SIGNATURE, QUOTA_NONCE_USED],
})
export type RegisterPayerQuotaInput = InputOf<typeof register>

/**
 * Returns the active quota with its used, held and remaining amounts, and the account's balance, all in wei.
 * NotFoundError if no quota is active. `PAYER_MISMATCH` if the wallet is not the account's.
 *
 * @example
 * const quota = await payerQuotas.active(facilitator, { payer: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' })
 * console.log(quota.remaining, quota.balance)
 */
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
export type GetActivePayerQuotaInput = InputOf<typeof active>

/**
 * Revokes the active quota with a revocation that `signRevocation` signed. Amounts held for settlements in
 * progress are still charged. NotFoundError if no quota is active. Rules: `PAYER_MISMATCH`,
 * `INVALID_QUOTA_SIGNATURE`, `QUOTA_NONCE_USED`.
 *
 * @example
 * const signing = await payerQuotas.signingDomain(facilitator)
 * await payerQuotas.revoke(facilitator, await signRevocation(wallet, signing))
 */
export const revoke = facilitatorOperation({
  id: 'payerQuotas.revoke',
  method: 'DELETE',
  path: '/payer-quotas/{payer}',
  source: 'name',
  scope: 'quotas:write',
  params,
  query: {
    /** A nonce larger than every previous one. */
    nonce: Amount,
    /** The payer's EIP-712 signature of `RevokePayerQuota`. */
    signature: Signature,
  },
  data: PayerQuota,
  errors: [NotFoundError, PAYER_MISMATCH, INVALID_QUOTA_SIGNATURE, QUOTA_NONCE_USED],
})
export type RevokePayerQuotaInput = InputOf<typeof revoke>

/**
 * Lists the account's quotas, newest first. `PAYER_MISMATCH` if the wallet is not the account's.
 *
 * @example
 * const payer = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 * for await (const quota of payerQuotas.history.items(facilitator, { payer })) console.log(quota.status, quota.used)
 */
export const history = pagedFacilitatorOperation({
  id: 'payerQuotas.history',
  method: 'GET',
  path: '/payer-quotas/{payer}/history',
  source: 'name',
  scope: 'quotas:read',
  params,
  orders: ['id'],
  item: PayerQuota,
  errors: [PAYER_MISMATCH],
})
export type ListPayerQuotaHistoryInput = InputOf<typeof history>
