import { accountProofTypes, type QuotaDomain, type SignedAccountProof } from '@mintmark/facilitator'
import { getAddress, type Hex, hashTypedData, recoverAddress } from 'viem'

/**
 * Returns the digest of a proof that the key of its wallet has signed, and otherwise undefined. Wallets that are
 * contracts (ERC-1271) are not asked: anybody could let the nodes run code.
 */
export async function readSignedProof(
  domain: QuotaDomain,
  { signature, ...proof }: Omit<SignedAccountProof, 'wallet'> & { readonly wallet: string },
): Promise<Hex | undefined> {
  const digest = hashTypedData({
    domain: { ...domain, verifyingContract: getAddress(domain.verifyingContract) },
    types: accountProofTypes,
    primaryType: 'OpenAccount',
    message: {
      ...proof,
      wallet: getAddress(proof.wallet),
      issuedAt: BigInt(proof.issuedAt),
      nonce: proof.nonce as Hex,
    },
  })
  const signer = await recoverAddress({ hash: digest, signature: signature as Hex }).catch(() => undefined)
  return signer?.toLowerCase() === proof.wallet.toLowerCase() ? digest : undefined
}
