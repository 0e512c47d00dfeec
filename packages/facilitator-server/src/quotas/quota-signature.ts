import { type QuotaDomain, quotaTypes } from '@mintmark/facilitator'
import { isRevert, rpcErrorOf, withoutAddress } from '@mintmark/server-kit'
import {
  type Address,
  encodeFunctionData,
  getAddress,
  type Hex,
  hashTypedData,
  type PublicClient,
  parseAbi,
  recoverAddress,
} from 'viem'

/** What quotas are signed under: bound to the treasury, so that a signature counts here and nowhere else. */
export interface QuotaSigningTerms {
  domain: QuotaDomain
  /** The facilitator's own address, which a quota names. */
  facilitator: string
}

export interface QuotaMessage {
  payer: string
  limit: bigint
  validAfter: bigint
  validBefore: bigint
  nonce: bigint
}

const erc1271 = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)'])
const ACCEPTED = '0x1626ba7e'

/** Whether the contract at an address says that it signed (ERC-1271). */
async function isWallets(
  client: PublicClient,
  wallet: Address,
  digest: Hex,
  signature: Hex,
): Promise<boolean> {
  const data = encodeFunctionData({
    abi: erc1271,
    functionName: 'isValidSignature',
    args: [digest, signature],
  })
  try {
    if ((await client.getCode({ address: wallet })) === undefined) return false
    const answer = await client.call({ to: wallet, data })
    return answer.data?.slice(0, 10) === ACCEPTED && answer.data.length === 66
  } catch (error) {
    const answered = rpcErrorOf(error)
    // A wallet that reverts says no; a chain that cannot be asked is another matter.
    if (answered && isRevert(answered)) return false
    throw withoutAddress(error)
  }
}

/** Checks signatures of quotas and revocations: of key wallets, and of contract wallets by ERC-1271 on the treasury's chain. */
export function createQuotaSignatures(terms: QuotaSigningTerms, client: PublicClient | undefined) {
  const domain = { ...terms.domain, verifyingContract: getAddress(terms.domain.verifyingContract) }

  async function isPayers(digest: Hex, payer: string, signature: string): Promise<boolean> {
    const hex = signature as Hex
    if (/^0x[0-9a-fA-F]{130}$/.test(signature)) {
      const signer = await recoverAddress({ hash: digest, signature: hex }).catch(() => undefined)
      if (signer?.toLowerCase() === payer.toLowerCase()) return true
    }
    return client !== undefined && (await isWallets(client, getAddress(payer), digest, hex))
  }

  return {
    terms,
    quota({ payer, ...quota }: QuotaMessage, signature: string): Promise<boolean> {
      const message = { ...quota, payer: getAddress(payer), facilitator: getAddress(terms.facilitator) }
      return isPayers(
        hashTypedData({ domain, types: quotaTypes, primaryType: 'PayerQuota', message }),
        payer,
        signature,
      )
    },
    revocation({ payer, nonce }: { payer: string; nonce: bigint }, signature: string): Promise<boolean> {
      const message = { payer: getAddress(payer), nonce }
      return isPayers(
        hashTypedData({ domain, types: quotaTypes, primaryType: 'RevokePayerQuota', message }),
        payer,
        signature,
      )
    },
  }
}
export type QuotaSignatures = ReturnType<typeof createQuotaSignatures>
