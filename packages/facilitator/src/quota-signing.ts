/** An EIP-712 domain as `signingDomain` answers it. */
export interface QuotaDomain {
  name: string
  version: string
  chainId: number
  verifyingContract: string
}

/** A wallet that signs typed data: a viem account, or anything of its shape. The key stays with it. */
export interface TypedDataWallet {
  address: string
  signTypedData(data: {
    domain: QuotaDomain & { verifyingContract: `0x${string}` }
    types: Record<string, readonly { name: string; type: string }[]>
    primaryType: string
    message: Record<string, unknown>
  }): Promise<string>
}

/** The EIP-712 types of quotas and of their revocation. */
export const quotaTypes = {
  PayerQuota: [
    { name: 'payer', type: 'address' },
    { name: 'facilitator', type: 'address' },
    { name: 'limit', type: 'uint256' },
    { name: 'validAfter', type: 'uint64' },
    { name: 'validBefore', type: 'uint64' },
    { name: 'nonce', type: 'uint256' },
  ],
  RevokePayerQuota: [
    { name: 'payer', type: 'address' },
    { name: 'nonce', type: 'uint256' },
  ],
} as const

/** What a payer allows. */
export interface QuotaTerms {
  /** The most that may be charged under it, in wei of the native token. */
  limit: bigint | string
  /** From when on, seconds since the epoch; default 0. */
  validAfter?: number
  /** Until when, seconds since the epoch. */
  validBefore: number
  /** Larger than the last one; default the `nextNonce` of the signing domain. */
  nonce?: bigint | string
}

/** What `payerQuotas.signingDomain` answers, as far as signing needs it. */
export interface QuotaSigning {
  domain: QuotaDomain
  /** The facilitator's own address, which is signed along. */
  facilitator: string
  nextNonce?: string | undefined
}

/** What `payerQuotas.revoke` takes. */
export interface SignedRevocation {
  /** The wallet that signed. */
  payer: `0x${string}`
  nonce: string
  /** The wallet's signature, of the EIP-712 types {@link quotaTypes}. */
  signature: string
}

/** What `payerQuotas.register` takes. */
export interface SignedQuota extends SignedRevocation {
  /** In wei of the native token. */
  limit: string
  /** Seconds since the epoch. */
  validAfter: number
  /** Seconds since the epoch. */
  validBefore: number
}

function nonceOf(signing: QuotaSigning, given: bigint | string | undefined): string {
  const nonce = given ?? signing.nextNonce
  if (nonce === undefined)
    throw new TypeError('A nonce is needed: the signing domain names none without credentials')
  return String(nonce)
}

function hexAddress(text: string): `0x${string}` {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) throw new TypeError(`Not an address: ${text}`)
  return text as `0x${string}`
}

/**
 * Signs a quota: the payer allows the facilitator to charge up to `limit`. What it answers is the input of `payerQuotas.register`.
 *
 * @example
 * const signing = await payerQuotas.signingDomain(facilitator)
 * const quota = await signPayerQuota(wallet, signing, { limit: 2n * 10n ** 17n, validBefore: nextYear })
 * await payerQuotas.register(facilitator, quota)
 */
export async function signPayerQuota(
  wallet: TypedDataWallet,
  signing: QuotaSigning,
  terms: QuotaTerms,
): Promise<SignedQuota> {
  const quota = {
    payer: hexAddress(wallet.address),
    limit: String(terms.limit),
    validAfter: terms.validAfter ?? 0,
    validBefore: terms.validBefore,
    nonce: nonceOf(signing, terms.nonce),
  }
  const signature = await wallet.signTypedData({
    domain: { ...signing.domain, verifyingContract: hexAddress(signing.domain.verifyingContract) },
    types: quotaTypes,
    primaryType: 'PayerQuota',
    message: {
      ...quota,
      facilitator: hexAddress(signing.facilitator),
      limit: BigInt(quota.limit),
      validAfter: BigInt(quota.validAfter),
      validBefore: BigInt(quota.validBefore),
      nonce: BigInt(quota.nonce),
    },
  })
  return { ...quota, signature }
}

/** Signs the end of the payer's quota. What it answers is the input of `payerQuotas.revoke`. */
export async function signRevocation(
  wallet: TypedDataWallet,
  signing: QuotaSigning,
  terms: { nonce?: bigint | string } = {},
): Promise<SignedRevocation> {
  const revocation = { payer: hexAddress(wallet.address), nonce: nonceOf(signing, terms.nonce) }
  const signature = await wallet.signTypedData({
    domain: { ...signing.domain, verifyingContract: hexAddress(signing.domain.verifyingContract) },
    types: quotaTypes,
    primaryType: 'RevokePayerQuota',
    message: { ...revocation, nonce: BigInt(revocation.nonce) },
  })
  return { ...revocation, signature }
}
