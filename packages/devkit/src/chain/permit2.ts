import { type Address, bytesToHex, type Hex } from 'viem'
import type { TypedDataSigner } from './authorization.ts'
import { devChainId, permit2Address, permit2ProxyAddresses, tokenAddress } from './chain.ts'

/** What a payer signs for Permit2: at most `amount` to `to`, through the proxy of an x402 scheme. */
export interface Permit2Authorization {
  readonly scheme: 'exact' | 'upto'
  readonly from: Address
  readonly to: Address
  readonly token: Address
  /** In the token's smallest unit. */
  readonly amount: bigint
  readonly nonce: bigint
  /** Seconds since the epoch; the last second at which the transfer is valid. */
  readonly deadline: bigint
  /** Seconds since the epoch; the first second at which the transfer is valid. */
  readonly validAfter: bigint
  /** The only sender of a transfer of the scheme upto. */
  readonly facilitator?: Address
}

const sharedTypes = {
  PermitWitnessTransferFrom: [
    { name: 'permitted', type: 'TokenPermissions' },
    { name: 'spender', type: 'address' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
    { name: 'witness', type: 'Witness' },
  ],
  TokenPermissions: [
    { name: 'token', type: 'address' },
    { name: 'amount', type: 'uint256' },
  ],
}

const witnessTypes = {
  exact: [
    { name: 'to', type: 'address' },
    { name: 'validAfter', type: 'uint256' },
  ],
  upto: [
    { name: 'to', type: 'address' },
    { name: 'facilitator', type: 'address' },
    { name: 'validAfter', type: 'uint256' },
  ],
}

/**
 * Creates an authorization of the scheme exact in the dev chain's token with a random nonce and no time
 * limits, unless `terms` overrides them.
 */
export function newPermit2Authorization(
  terms: Pick<Permit2Authorization, 'from' | 'to' | 'amount'> & Partial<Permit2Authorization>,
): Permit2Authorization {
  return {
    scheme: 'exact',
    token: tokenAddress,
    validAfter: 0n,
    deadline: 2n ** 64n,
    nonce: BigInt(bytesToHex(crypto.getRandomValues(new Uint8Array(32)))),
    ...terms,
  }
}

/** Signs an authorization for Permit2 of the dev chain. */
export function signPermit2Authorization(
  signer: TypedDataSigner,
  authorization: Permit2Authorization,
  chainId: number = devChainId,
): Promise<Hex> {
  const { scheme, to, token, amount, nonce, deadline, validAfter, facilitator } = authorization
  return signer.signTypedData({
    domain: { name: 'Permit2', chainId, verifyingContract: permit2Address },
    types: { ...sharedTypes, Witness: witnessTypes[scheme] },
    primaryType: 'PermitWitnessTransferFrom',
    message: {
      permitted: { token, amount },
      spender: permit2ProxyAddresses[scheme],
      nonce,
      deadline,
      witness: { to, validAfter, ...(facilitator && { facilitator }) },
    },
  })
}
