import { type Address, type Hex, toHex } from 'viem'
import { devChainId, tokenAddress } from './chain.ts'

/** The parameters of an EIP-3009 authorization. */
export interface Authorization {
  from: Address
  to: Address
  /** In the token's smallest unit. */
  value: bigint
  /** Seconds since the epoch; the authorization is valid strictly after it. */
  validAfter: bigint
  /** Seconds since the epoch; the authorization is valid strictly before it. */
  validBefore: bigint
  nonce: Hex
}

/** Signs EIP-712 typed data, for example a viem account. */
export interface TypedDataSigner {
  signTypedData(data: {
    domain: { name: string; version?: string; chainId: number; verifyingContract: Address }
    types: Record<string, readonly { name: string; type: string }[]>
    primaryType: string
    message: Record<string, unknown>
  }): Promise<Hex>
}

/** The EIP-712 domain of the dev chain's token, equal to that of USDC on Base Sepolia. */
export const tokenDomain = {
  name: 'USDC',
  version: '2',
  chainId: devChainId,
  verifyingContract: tokenAddress,
} as const

const transferFields = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
] as const

const types = {
  TransferWithAuthorization: transferFields,
  ReceiveWithAuthorization: transferFields,
  CancelAuthorization: [
    { name: 'authorizer', type: 'address' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

/** Creates an authorization with a random nonce and no time limits, unless `terms` overrides them. */
export function newAuthorization(
  terms: Pick<Authorization, 'from' | 'to' | 'value'> & Partial<Authorization>,
): Authorization {
  return {
    validAfter: 0n,
    validBefore: 2n ** 64n,
    nonce: toHex(crypto.getRandomValues(new Uint8Array(32))),
    ...terms,
  }
}

/** Signs an authorization for `transferWithAuthorization` or `receiveWithAuthorization`. */
export function signAuthorization(
  signer: TypedDataSigner,
  authorization: Authorization,
  primaryType: 'TransferWithAuthorization' | 'ReceiveWithAuthorization' = 'TransferWithAuthorization',
): Promise<Hex> {
  return signer.signTypedData({ domain: tokenDomain, types, primaryType, message: { ...authorization } })
}

/** Signs the cancellation of the authorization with this nonce. */
export function signCancellation(signer: TypedDataSigner, authorizer: Address, nonce: Hex): Promise<Hex> {
  const message = { authorizer, nonce }
  return signer.signTypedData({ domain: tokenDomain, types, primaryType: 'CancelAuthorization', message })
}
