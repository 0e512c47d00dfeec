import { type FacilitatorEvmSigner, toFacilitatorEvmSigner } from '@x402/evm'
import type { Abi, TypedData, TypedDataDomain } from 'viem'
import type { AccountClient } from './chain.ts'

/**
 * Gives the reference facilitator a viem client to read, send and wait with. The package declares ABIs and typed data
 * more loosely than viem, without their element types: hence the casts, all of values that the package's own constants
 * fill.
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
