import { toEventSelector } from 'viem'
import { asHex } from '../../../../chains/evm/reads/transfer.ts'
import type { Payment, PaymentOnChain } from '../../../../payment/payment.ts'
import type { Permit2Terms, SignedApproval } from './permit2-terms.ts'

/** The address of Permit2 on every chain that has it, lower-case. */
export const permit2Address = '0x000000000022d473030f116ddee9f6b43ac78ba3'

/** Topics of the proxies' events. They have no fields. */
export const settledTopics = [toEventSelector('Settled()'), toEventSelector('SettledWithPermit()')]

export const structs = [
  'struct TokenPermissions { address token; uint256 amount; }',
  'struct PermitTransferFrom { TokenPermissions permitted; uint256 nonce; uint256 deadline; }',
  'struct SignedApproval { uint256 value; uint256 deadline; bytes32 r; bytes32 s; uint8 v; }',
] as const

/** Splits a payer's signed approval of Permit2 (EIP-2612) into the arguments of a token's `permit`. */
export function splitApproval(value: bigint, { deadline, signature }: SignedApproval) {
  const v = Number.parseInt(signature.slice(130), 16)
  return {
    value,
    deadline,
    r: asHex(signature.slice(0, 66)),
    s: asHex(`0x${signature.slice(66, 130)}`),
    v: v < 27 ? v + 27 : v,
  }
}

/** The payment of a call of x402's contract. */
export type CalledPayment = Pick<PaymentOnChain, 'asset' | 'payer' | 'payTo' | 'amount' | 'nonce'>

/** Converts the arguments of a call. */
export const toCalledPayment = (
  { permitted, nonce }: { permitted: { token: string }; nonce: bigint },
  { owner, to, amount }: { owner: string; to: string; amount: bigint },
): CalledPayment => ({
  asset: permitted.token.toLowerCase(),
  payer: owner.toLowerCase(),
  payTo: to.toLowerCase(),
  amount,
  nonce: formatNonce(nonce),
})

/** Returns what the payer permits, as x402's contracts take it. */
export const toPermit = ({ asset, nonce, validBefore, details }: Payment<Permit2Terms>) => ({
  permitted: { token: asHex(asset), amount: details.maximum },
  nonce: BigInt(nonce),
  deadline: validBefore - 1n,
})

/** Formats a nonce of Permit2 as 32 bytes, `0x` and 64 lower-case hex digits. */
export const formatNonce = (nonce: bigint): string => `0x${nonce.toString(16).padStart(64, '0')}`
