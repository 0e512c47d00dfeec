import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { devAccounts } from '@mintmark/devkit/chain/accounts'
import { devUsdcAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { newAuthorization, signAuthorization, tokenDomain } from '@mintmark/devkit/chain/authorization'
import { accountClient } from '@mintmark/devkit/chain/chain'
import type { PaymentPayloadV2, PaymentRequirementsV2 } from '@mintmark/facilitator'
import { getAddress, type Hex } from 'viem'
import type { Credentials } from './credentials.ts'

/** Payments in the dev chain's token by the wallets of the demo. */
export interface DemoPayments {
  /**
   * Transfers an order's price from the demo's buyer to the seller, and returns the transaction's hash. Idempotent: a second call for an order
   * returns the first hash. The price defaults to that of the demo's order.
   */
  payOrder(orderNo: string, seller: string, price?: bigint): Promise<Hex>
  /** Signs an x402 payment of 0.01 of the token by the demo's payer. Returns the body of a settle. */
  signPayment(payTo: string): Promise<SignedPayment>
}

export interface SignedPayment {
  readonly x402Version: 2
  readonly paymentPayload: PaymentPayloadV2
  readonly paymentRequirements: PaymentRequirementsV2
}

/** The demo order's price: 25 of a token with six decimals. */
const ORDER_PRICE = 25_000_000n
const PAYMENT_AMOUNT = 10_000n
const PAYMENT_VALID_S = 600

/** Returns the dev chain's account with an address. */
export function getDevAccount(address: string) {
  const account = devAccounts.find((each) => each.address.toLowerCase() === address.toLowerCase())
  if (account === undefined) throw new Error(`${address} is not an account of the dev chain`)
  return account
}

/** @param dataDir contains the record of the orders that are paid. */
export function createDemoPayments({ chain, demo, facilitator }: Credentials, dataDir: string): DemoPayments {
  const file = join(dataDir, 'tour.json')
  const client = accountClient(chain.rpcUrl, getDevAccount(demo.wallet))
  return {
    async payOrder(orderNo, seller, price = ORDER_PRICE) {
      const paid = JSON.parse(await readFile(file, 'utf8').catch(() => '{}')) as Record<string, Hex>
      if (paid[orderNo]) return paid[orderNo]
      const hash = await client.writeContract({
        address: getAddress(chain.token),
        abi: devUsdcAbi,
        functionName: 'transfer',
        args: [getAddress(seller), price],
      })
      await client.waitForTransactionReceipt({ hash })
      await writeFile(file, JSON.stringify({ ...paid, [orderNo]: hash }))
      return hash
    },
    signPayment: (payTo) => signPayment(chain, facilitator.payer, payTo),
  }
}

async function signPayment(chain: Credentials['chain'], from: string, payTo: string): Promise<SignedPayment> {
  const payer = getDevAccount(from)
  const authorization = newAuthorization({
    from: payer.address,
    to: getAddress(payTo),
    value: PAYMENT_AMOUNT,
    validBefore: BigInt(Math.floor(Date.now() / 1000) + PAYMENT_VALID_S),
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
