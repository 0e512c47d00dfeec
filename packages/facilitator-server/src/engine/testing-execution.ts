import { devUsdcAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { type AnvilClient, tokenAddress } from '@mintmark/devkit/chain/chain'
import type { Address, Hash } from 'viem'
import { hex, type signedBody } from './testing.ts'

/** The body of a settle request. */
export type PaymentBody = Awaited<ReturnType<typeof signedBody>>

/** Returns the arguments of the token's `transferWithAuthorization` for a signed payment. */
export function toTransferArguments({ paymentPayload }: PaymentBody) {
  const { authorization, signature } = paymentPayload.payload
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  const times = [BigInt(validAfter), BigInt(validBefore)] as const
  return [hex(from), hex(to), BigInt(value), ...times, hex(nonce), hex(String(signature))] as const
}

/** Sends a signed payment to the dev chain from one of its own accounts. Returns the transaction's hash. */
export function executePayment(
  client: AnvilClient,
  sender: Address,
  body: PaymentBody,
  options: { readonly gas?: bigint; readonly nonce?: number } = {},
): Promise<Hash> {
  return client.writeContract({
    account: sender,
    // The chain id is known, so that the client does not request it.
    chain: null,
    address: tokenAddress,
    abi: devUsdcAbi,
    functionName: 'transferWithAuthorization',
    args: toTransferArguments(body),
    ...options,
  })
}
