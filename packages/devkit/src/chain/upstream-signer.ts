import { type FacilitatorEvmSigner, toFacilitatorEvmSigner } from '@x402/evm'
import type { Abi, TypedData, TypedDataDomain } from 'viem'
import type { AccountClient } from './chain.ts'

/**
 * Creates the reference facilitator's signer from a viem client. The package declares ABIs and typed data
 * without element types, so values of its own constants are cast to viem's stricter types.
 */
export function facilitatorSigner(client: AccountClient): FacilitatorEvmSigner {
  return toFacilitatorEvmSigner({
    address: client.account.address,
    readContract: ({ abi, args = [], ...call }) => client.readContract({ ...call, abi: abi as Abi, args }),
    writeContract: ({ abi, gas, dataSuffix, ...call }) =>
      client.writeContract({
        ...call,
        abi: abi as Abi,
        ...(gas === undefined ? {} : { gas }),
        ...(dataSuffix === undefined ? {} : { dataSuffix }),
      }),
    sendTransaction: (transaction) => client.sendTransaction(transaction),
    waitForTransactionReceipt: ({ hash, timeout }) =>
      client.waitForTransactionReceipt({ hash, ...(timeout === undefined ? {} : { timeout }) }),
    getCode: (account) => client.getCode(account),
    verifyTypedData: ({ domain, types, ...rest }) =>
      client.verifyTypedData({
        ...rest,
        domain: domain as TypedDataDomain,
        types: types as TypedData,
      }),
  })
}
