import type { Read } from '../../../chains/evm/reads/multicall-reads.ts'
import type { ContractCall } from '../../../chains/evm/reads/transfer.ts'
import type { GasCaps } from '../../../chains/evm/settings/gas-caps.ts'
import { larger } from '../../../payment/amounts.ts'
import type { Payment } from '../../../payment/payment.ts'
import type { Problem } from '../../../payment/problem.ts'
import type { EvmScheme } from '../evm-scheme.ts'

/** A kind of request by which sellers move what payers have paid into a contract. */
interface SellerRequest<Details> {
  encode(payment: Payment<Details>): ContractCall
  /**
   * The gas of a request. Its cap is the limit for contracts, but `least` or higher, plus `more`. A transaction gets
   * `floor` or more, whatever the node estimates.
   */
  getGas(details: Details): { readonly least: bigint; readonly more?: bigint; readonly floor?: bigint }
  /** Reads the contract's state of a nonce, which is always empty. */
  readNonce(nonce: string): Read
  /** The reason of a request that fails on the chain. */
  readonly failed: string
  /** Why a request is not verified. */
  readonly settleOnly: Problem
}

/**
 * Creates what requests of sellers have in common. Their nonce is a hash of what they do and exists in our books
 * only, so it is never used on the chain: only the receipt of a transaction of ours shows that they were executed.
 */
export const createSellerRequest = <Details>({
  encode,
  getGas,
  readNonce,
  failed,
  settleOnly,
}: SellerRequest<Details>) =>
  ({
    settleOnly,
    isRepeatable: true,
    revertsCountFor: 'account',
    hasDelivery: false,
    listKinds: () => [],
    createCall(payment: Payment<Details>, { contract }: GasCaps) {
      const { least, more = 0n, floor } = getGas(payment.details)
      const gasCap = larger(contract, least) + more
      return {
        transfer: encode(payment),
        gasCap,
        contractGasCap: gasCap,
        ...(floor !== undefined && { gasFloor: floor }),
        deploys: false,
        executesOthers: true,
      }
    },
    // The seller's signature is a part of the call.
    computeDigest: ({ nonce }) => Buffer.from(nonce.slice(2), 'hex'),
    toKeySignature: (signature) => signature,
    encodeTransfer: encode,
    nonceRead: ({ nonce }) => readNonce(nonce),
    isUsed: (_, { success, data }) => (success && data !== '' ? false : undefined),
    evaluateLogs: (_logs, _payment, isOwn) => (isOwn ? 'paid' : 'absent'),
    supersededReason: failed,
    hasMadePayment: async () => false,
    searchUse: async () => undefined,
  }) satisfies Partial<EvmScheme<Details>>
