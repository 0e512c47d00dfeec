/** The EIP-712 domain that `signingDomain` returns. */
export interface QuotaDomain {
  /** The name that wallets show. */
  name: string
  /** The version of the types. */
  version: string
  /** The id of the chain. */
  chainId: number
  /** The address that the signature is bound to. */
  verifyingContract: string
}

/**
 * A wallet that signs typed data: a viem account, or an object of the same shape. Its key stays in the
 * wallet.
 */
export interface TypedDataWallet {
  /** The wallet's address. */
  address: string
  /** Returns the wallet's EIP-712 signature. */
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

/** The terms of a quota. */
export interface QuotaTerms {
  /** The maximum that the facilitator may charge, in wei of the native token. */
  limit: bigint | string
  /** When the quota becomes valid, in seconds since the epoch. Default: 0. */
  validAfter?: number
  /** When the quota expires, in seconds since the epoch. */
  validBefore: number
  /** A nonce larger than every previous one. Default: the `nextNonce` of the signing domain. */
  nonce?: bigint | string
}

/** The fields of `payerQuotas.signingDomain` that signing requires. */
export interface QuotaSigning {
  /** The EIP-712 domain. */
  domain: QuotaDomain
  /** The facilitator's address, which the signature covers. */
  facilitator: string
  /** The smallest nonce that is accepted. Without it, pass a `nonce`. */
  nextNonce?: string | undefined
}

/** The input of `payerQuotas.revoke`. */
export interface SignedRevocation {
  /** The wallet that signed the message. */
  payer: `0x${string}`
  /** The nonce, larger than every previous one of the payer. */
  nonce: string
  /** The wallet's signature of the EIP-712 types {@link quotaTypes}. */
  signature: string
}

/** The input of `payerQuotas.register`. */
export interface SignedQuota extends SignedRevocation {
  /** The maximum that the facilitator may charge, in wei of the native token. */
  limit: string
  /** When the quota becomes valid, in seconds since the epoch. */
  validAfter: number
  /** When the quota expires, in seconds since the epoch. */
  validBefore: number
}

function getNonce(signing: QuotaSigning, requested: bigint | string | undefined): string {
  const nonce = requested ?? signing.nextNonce
  if (nonce === undefined)
    throw new TypeError(
      'The nonce is missing. Pass `nonce`, or request the signing domain with credentials, which returns the next nonce',
    )
  return String(nonce)
}

export function parseAddress(text: string): `0x${string}` {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) throw new TypeError(`Not an address: ${text}`)
  return text as `0x${string}`
}

/**
 * Signs a quota, with which the payer permits the facilitator to charge up to `limit`. Returns the input of
 * `payerQuotas.register`. Throws a TypeError if the nonce is missing or an address is invalid.
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
    payer: parseAddress(wallet.address),
    limit: String(terms.limit),
    validAfter: terms.validAfter ?? 0,
    validBefore: terms.validBefore,
    nonce: getNonce(signing, terms.nonce),
  }
  const signature = await wallet.signTypedData({
    domain: { ...signing.domain, verifyingContract: parseAddress(signing.domain.verifyingContract) },
    types: quotaTypes,
    primaryType: 'PayerQuota',
    message: {
      ...quota,
      facilitator: parseAddress(signing.facilitator),
      limit: BigInt(quota.limit),
      validAfter: BigInt(quota.validAfter),
      validBefore: BigInt(quota.validBefore),
      nonce: BigInt(quota.nonce),
    },
  })
  return { ...quota, signature }
}

/**
 * Signs the revocation of the payer's quota. Returns the input of `payerQuotas.revoke`. Throws a TypeError if
 * the nonce is missing or an address is invalid.
 *
 * @example
 * const signing = await payerQuotas.signingDomain(facilitator)
 * await payerQuotas.revoke(facilitator, await signRevocation(wallet, signing))
 */
export async function signRevocation(
  wallet: TypedDataWallet,
  signing: QuotaSigning,
  terms: { nonce?: bigint | string } = {},
): Promise<SignedRevocation> {
  const revocation = { payer: parseAddress(wallet.address), nonce: getNonce(signing, terms.nonce) }
  const signature = await wallet.signTypedData({
    domain: { ...signing.domain, verifyingContract: parseAddress(signing.domain.verifyingContract) },
    types: quotaTypes,
    primaryType: 'RevokePayerQuota',
    message: { ...revocation, nonce: BigInt(revocation.nonce) },
  })
  return { ...revocation, signature }
}
