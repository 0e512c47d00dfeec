import { parseAddress, type QuotaSigning, type TypedDataWallet } from './quota-signing.ts'

/** The EIP-712 types of the proof with which a wallet opens its account. */
export const accountProofTypes = {
  OpenAccount: [
    { name: 'audience', type: 'string' },
    { name: 'wallet', type: 'address' },
    { name: 'issuedAt', type: 'uint64' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

/** The input of `accounts.open`. */
export interface SignedAccountProof {
  /** The address of the facilitator that the proof is for. */
  audience: string
  /** The wallet that signed the proof. */
  wallet: `0x${string}`
  /** When the proof was signed, in seconds since the epoch. */
  issuedAt: number
  /** 32 random bytes. */
  nonce: string
  /** The wallet's signature of the EIP-712 types {@link accountProofTypes}. */
  signature: string
}

/** Whom a proof is for, and when it is signed. */
export interface AccountProofTerms {
  /**
   * The address at which you call the facilitator, `baseUrl` of its client. Never one that a server has
   * returned: another facilitator could use the proof there.
   */
  audience: string
  /** In seconds since the epoch. Default: now. */
  issuedAt?: number
}

/**
 * Signs the proof that a wallet is yours. Returns the input of `accounts.open`. The proof is valid for five
 * minutes, for one call of one facilitator. Throws a TypeError if the audience or the address is invalid.
 *
 * @example
 * const signing = await payerQuotas.signingDomain(facilitator)
 * const { token } = await accounts.open(facilitator, await signAccountProof(wallet, signing, { audience: baseUrl }))
 */
export async function signAccountProof(
  wallet: TypedDataWallet,
  { domain }: Pick<QuotaSigning, 'domain'>,
  { audience, issuedAt = Math.floor(Date.now() / 1000) }: AccountProofTerms,
): Promise<SignedAccountProof> {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  const proof = {
    audience: new URL(audience).href.replace(/\/+$/, ''),
    wallet: parseAddress(wallet.address),
    issuedAt,
    nonce: `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`,
  }
  const signature = await wallet.signTypedData({
    domain: { ...domain, verifyingContract: parseAddress(domain.verifyingContract) },
    types: accountProofTypes,
    primaryType: 'OpenAccount',
    message: { ...proof, issuedAt: BigInt(issuedAt) },
  })
  return { ...proof, signature }
}
