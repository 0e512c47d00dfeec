import { decodeFunctionData, encodeFunctionData, type Hex, toEventSelector } from 'viem'
import { exactPermit2ProxyAbi, permit2Abi, uptoPermit2ProxyAbi } from '../chain/artifacts/abi.ts'
import { permit2Address, permit2ProxyAddresses } from '../chain/chain.ts'

/** The addresses of Permit2 and of x402's proxies, lower-case. */
export const PERMIT2 = permit2Address.toLowerCase()
export const PROXIES = {
  exact: permit2ProxyAddresses.exact.toLowerCase(),
  upto: permit2ProxyAddresses.upto.toLowerCase(),
}

/** The topic of a proxy's event. It has no fields. */
export const SETTLED_TOPIC = toEventSelector('Settled()')

/** A transfer that a proxy is called for. Addresses are lower-case. */
export interface PermittedTransfer {
  readonly proxy: string
  readonly owner: string
  readonly to: string
  /** Base units of the token. */
  readonly amount: bigint
  readonly maximum: bigint
  readonly nonce: bigint
  /** Unix seconds; the last second at which the signature is valid. */
  readonly deadline: bigint
  /** Unix seconds; the first second at which the transfer is valid. */
  readonly validAfter: bigint
  /** The only sender of a transfer of the scheme upto. */
  readonly facilitator: string | undefined
}

/** Decodes the call of a proxy. Undefined if it is no settlement of one. */
export function decodeProxyCall(to: string, data: Hex): PermittedTransfer | undefined {
  try {
    if (to === PROXIES.exact) {
      const { functionName, args } = decodeFunctionData({ abi: exactPermit2ProxyAbi, data })
      if (functionName !== 'settle') return undefined
      const [permit, owner, witness] = args
      const { amount } = permit.permitted
      return toTransfer(to, permit, { owner, amount, ...witness })
    }
    if (to !== PROXIES.upto) return undefined
    const { functionName, args } = decodeFunctionData({ abi: uptoPermit2ProxyAbi, data })
    if (functionName !== 'settle') return undefined
    const [permit, amount, owner, witness] = args
    return toTransfer(to, permit, { owner, amount, ...witness })
  } catch {
    // Anybody may call the proxies with anything.
    return undefined
  }
}

function toTransfer(
  proxy: string,
  permit: { permitted: { amount: bigint }; nonce: bigint; deadline: bigint },
  payment: { owner: string; to: string; amount: bigint; validAfter: bigint; facilitator?: string },
): PermittedTransfer {
  return {
    proxy,
    owner: payment.owner.toLowerCase(),
    to: payment.to.toLowerCase(),
    amount: payment.amount,
    maximum: permit.permitted.amount,
    nonce: permit.nonce,
    deadline: permit.deadline,
    validAfter: payment.validAfter,
    facilitator: payment.facilitator?.toLowerCase(),
  }
}

/** Decodes a call of Permit2 that cancels nonces of its sender. Undefined if it is another call. */
export function decodeInvalidation(data: Hex): { word: bigint; mask: bigint } | undefined {
  try {
    const { functionName, args } = decodeFunctionData({ abi: permit2Abi, data })
    return functionName === 'invalidateUnorderedNonces' ? { word: args[0], mask: args[1] } : undefined
  } catch {
    return undefined
  }
}

/** Encodes the call of Permit2 by which a payer cancels a nonce. */
export const encodeInvalidation = (nonce: string): string =>
  encodeFunctionData({
    abi: permit2Abi,
    functionName: 'invalidateUnorderedNonces',
    args: [BigInt(nonce) >> 8n, 1n << (BigInt(nonce) & 0xffn)],
  })

/** The key of one word of an owner's nonces. */
export const toNonceWord = (owner: string, word: bigint): string => `${owner} ${word}`
