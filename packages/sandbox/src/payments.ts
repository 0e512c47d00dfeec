import { accountClient, devUsdcAbi, newAuthorization, signAuthorization, tokenDomain } from '@mintmark/devkit'
import type { PaymentPayloadV2, PaymentRequirementsV2 } from '@mintmark/facilitator'
import { getAddress } from 'viem'
import { type SandboxAccount, sandboxAccounts } from './accounts.ts'
import type { Credentials } from './credentials.ts'

/** The body of a verify and of a settle. */
export interface SignedPayment {
  readonly x402Version: 2
  readonly paymentPayload: PaymentPayloadV2
  readonly paymentRequirements: PaymentRequirementsV2
}

/** The terms of an x402 payment in USDC. */
export interface PaymentTerms {
  /** The address that is paid. */
  readonly payTo: string
  /** In base units: USDC has 6 decimals. Default 10,000, which is a cent. */
  readonly amount?: bigint
  /** Default: the payer of the facilitator's account. */
  readonly payer?: SandboxAccount
  /** How long the payment can be settled, in seconds. Default 600. */
  readonly validForSeconds?: number
}

type PaidChain = Credentials['chain']

/** Signs an x402 payment. `now` is in milliseconds since the epoch. */
export async function signPayment(
  chain: PaidChain,
  terms: PaymentTerms,
  now: number,
): Promise<SignedPayment> {
  const { payTo, amount = 10_000n, payer = sandboxAccounts.payer, validForSeconds = 600 } = terms
  const authorization = newAuthorization({
    from: payer.address,
    to: getAddress(payTo),
    value: amount,
    validBefore: BigInt(Math.floor(now / 1000) + validForSeconds),
  })
  const paymentRequirements: PaymentRequirementsV2 = {
    scheme: 'exact',
    network: `eip155:${chain.chainId}`,
    asset: chain.token,
    amount: String(authorization.value),
    payTo,
    maxTimeoutSeconds: 60,
    extra: { name: tokenDomain.name, version: tokenDomain.version },
  }
  const paymentPayload: PaymentPayloadV2 = {
    x402Version: 2,
    resource: {
      url: 'https://example.com/articles/1',
      description: 'One article',
      mimeType: 'text/html',
    },
    accepted: paymentRequirements,
    payload: {
      signature: await signAuthorization(payer, authorization),
      authorization: {
        from: authorization.from,
        to: authorization.to,
        value: String(authorization.value),
        validAfter: String(authorization.validAfter),
        validBefore: String(authorization.validBefore),
        nonce: authorization.nonce,
      },
    },
  }
  return { x402Version: 2, paymentPayload, paymentRequirements }
}

/** A transfer of USDC, such as the payment of an order. */
export interface TokenTransfer {
  readonly from?: SandboxAccount
  readonly to: string
  /** In base units. */
  readonly amount: bigint
}

/**
 * Transfers USDC on the chain, by default from the buyer, and waits for its block. Returns the transaction's
 * hash.
 */
export async function transferToken(
  chain: PaidChain,
  { from = sandboxAccounts.buyer, to, amount }: TokenTransfer,
): Promise<string> {
  const client = accountClient(chain.rpcUrl, from)
  const hash = await client.writeContract({
    address: getAddress(chain.token),
    abi: devUsdcAbi,
    functionName: 'transfer',
    args: [getAddress(to), amount],
  })
  await client.waitForTransactionReceipt({ hash })
  return hash
}
