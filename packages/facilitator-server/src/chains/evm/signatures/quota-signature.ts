import { findRpcError, isRevert, removeAddress } from '@mintmark/evm-reader'
import { type QuotaDomain, quotaTypes } from '@mintmark/facilitator'
import { type Address, getAddress, type Hex, hashTypedData, type PublicClient, recoverAddress } from 'viem'
import { isOutOfGas } from '../reads/simulated-calls.ts'
import { encodeSignatureCheck, isAccepted } from '../reads/token-reads.ts'
import { WALLET_GAS } from '../settings/gas-caps.ts'

/** The domain of quota signatures. It contains the treasury, so that a signature is valid only here. */
export interface QuotaSigningTerms {
  domain: QuotaDomain
  /** The facilitator's address, which a quota contains. */
  facilitator: string
}

export interface QuotaMessage {
  payer: string
  limit: bigint
  validAfter: bigint
  validBefore: bigint
  nonce: bigint
}

/** Whether the contract at an address accepts the signature (ERC-1271), with at most `WALLET_GAS`. */
async function isSignedByWallet(
  client: PublicClient,
  wallet: Address,
  digest: Hex,
  signature: Hex,
): Promise<boolean> {
  const data = encodeSignatureCheck(digest.slice(2), signature)
  try {
    if ((await client.getCode({ address: wallet })) === undefined) return false
    const response = await client.call({ to: wallet, data, gas: WALLET_GAS })
    return isAccepted(response.data ?? '0x')
  } catch (error) {
    const rpcError = findRpcError(error)
    // A wallet that reverts refuses the signature. Other errors mean that the chain cannot be read.
    if (rpcError && (isRevert(rpcError) || isOutOfGas(rpcError))) return false
    throw removeAddress(error)
  }
}

/**
 * Creates the verification of signatures of quotas and revocations, by keys and by contract wallets
 * (ERC-1271) on the treasury's chain.
 */
export function createQuotaSignatures(terms: QuotaSigningTerms, client: PublicClient | undefined) {
  const domain = { ...terms.domain, verifyingContract: getAddress(terms.domain.verifyingContract) }

  async function isSignedByPayer(digest: Hex, payer: string, signature: string): Promise<boolean> {
    const hex = signature as Hex
    if (/^0x[0-9a-fA-F]{130}$/.test(signature)) {
      const signer = await recoverAddress({ hash: digest, signature: hex }).catch(() => undefined)
      if (signer?.toLowerCase() === payer.toLowerCase()) return true
    }
    return client !== undefined && (await isSignedByWallet(client, getAddress(payer), digest, hex))
  }

  return {
    terms,
    quota({ payer, ...quota }: QuotaMessage, signature: string): Promise<boolean> {
      const message = { ...quota, payer: getAddress(payer), facilitator: getAddress(terms.facilitator) }
      return isSignedByPayer(
        hashTypedData({ domain, types: quotaTypes, primaryType: 'PayerQuota', message }),
        payer,
        signature,
      )
    },
    revocation({ payer, nonce }: { payer: string; nonce: bigint }, signature: string): Promise<boolean> {
      const message = { payer: getAddress(payer), nonce }
      return isSignedByPayer(
        hashTypedData({ domain, types: quotaTypes, primaryType: 'RevokePayerQuota', message }),
        payer,
        signature,
      )
    },
  }
}
export type QuotaSignatures = ReturnType<typeof createQuotaSignatures>
