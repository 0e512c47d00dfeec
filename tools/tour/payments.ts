import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newAuthorization, signAuthorization, tokenDomain } from '@mintmark/devkit/chain/authorization'
import { accountClient } from '@mintmark/devkit/chain/chain'
import type { PaymentPayloadV2, PaymentRequirementsV2 } from '@mintmark/facilitator'
import { type Address, getAddress, type Hex, parseAbi } from 'viem'
import { type Credentials, dataDir } from '../start/credentials.ts'
import { accountOf } from './stops.ts'

/** What the tour pays with: the demo wallet's token on the dev chain. */
export interface DemoPayments {
  /** The hash of a transfer of the order's price from the buyer to the seller; an order is paid once. The price defaults to the demo order's. */
  payOrder(orderNo: string, seller: string, price?: bigint): Promise<Hex>
  /** A payment of 0.01 of the token, as the body of settle. */
  signPayment(
    payTo: string,
  ): Promise<{ x402Version: 2; paymentPayload: PaymentPayloadV2; paymentRequirements: PaymentRequirementsV2 }>
}

const tokenAbi = parseAbi(['function transfer(address to, uint256 value) returns (bool)'])
/** The demo order's price: 25 of a token with six decimals. */
const ORDER_PRICE = 25_000_000n

export function demoPayments({ chain, demo, facilitator }: Credentials): DemoPayments {
  const buyer = accountOf(demo.wallet)
  const payer = accountOf(facilitator.payer)
  const token = getAddress(chain.token)
  const paid = join(dataDir(), 'tour.json')
  return {
    async payOrder(orderNo, seller, price = ORDER_PRICE) {
      const known = JSON.parse(await readFile(paid, 'utf8').catch(() => '{}')) as Record<string, Hex>
      if (known[orderNo]) return known[orderNo]
      const client = accountClient(chain.rpcUrl, buyer)
      const hash = await client.writeContract({
        address: token,
        abi: tokenAbi,
        functionName: 'transfer',
        args: [getAddress(seller), price],
      })
      await client.waitForTransactionReceipt({ hash, pollingInterval: 100 })
      await writeFile(paid, JSON.stringify({ ...known, [orderNo]: hash }))
      return hash
    },
    async signPayment(payTo) {
      const now = Math.floor(Date.now() / 1000)
      const authorization = newAuthorization({
        from: payer.address,
        to: payTo as Address,
        value: 10_000n,
        validBefore: BigInt(now + 600),
      })
      const requirements: PaymentRequirementsV2 = {
        scheme: 'exact',
        network: `eip155:${chain.chainId}`,
        asset: chain.token,
        amount: authorization.value.toString(),
        payTo,
        maxTimeoutSeconds: 60,
        extra: { name: tokenDomain.name, version: tokenDomain.version },
      }
      return {
        x402Version: 2,
        paymentRequirements: requirements,
        paymentPayload: {
          x402Version: 2,
          resource: {
            url: 'https://example.com/articles/1',
            description: 'One article',
            mimeType: 'text/html',
          },
          accepted: requirements,
          payload: {
            signature: await signAuthorization(payer, authorization),
            authorization: {
              from: authorization.from,
              to: authorization.to,
              value: authorization.value.toString(),
              validAfter: authorization.validAfter.toString(),
              validBefore: authorization.validBefore.toString(),
              nonce: authorization.nonce,
            },
          },
        },
      }
    },
  }
}
