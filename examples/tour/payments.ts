import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { devAccounts } from '@mintmark/devkit/chain/accounts'
import { type DemoCredentials, type SignedPayment, signPayment, transferToken } from '@mintmark/sandbox'

/** Payments in the dev chain's token by the wallets of the demo. */
export interface TourPayments {
  /**
   * Transfers an order's price from the demo's buyer to the seller, and returns the transaction's hash.
   * Idempotent: a second call for an order returns the first hash. The price defaults to that of the demo's
   * order.
   */
  payOrder(orderNo: string, seller: string, price?: bigint): Promise<string>
  /** Signs an x402 payment of 0.01 of the token by the demo's payer. Returns the body of a settle. */
  signPayment(payTo: string): Promise<SignedPayment>
}

/** The demo order's price: 25 of a token with six decimals. */
const ORDER_PRICE = 25_000_000n

/** Returns the dev chain's account with an address. */
export function getDevAccount(address: string) {
  const account = devAccounts.find((each) => each.address.toLowerCase() === address.toLowerCase())
  if (account === undefined) throw new Error(`${address} is not an account of the dev chain`)
  return account
}

/** @param dataDir contains the record of the orders that are paid. */
export function createTourPayments({ chain }: DemoCredentials, dataDir: string): TourPayments {
  const file = join(dataDir, 'tour.json')
  return {
    async payOrder(orderNo, seller, price = ORDER_PRICE) {
      const paid = JSON.parse(await readFile(file, 'utf8').catch(() => '{}')) as Record<string, string>
      if (paid[orderNo]) return paid[orderNo]
      const hash = await transferToken(chain, { to: seller, amount: price })
      await writeFile(file, JSON.stringify({ ...paid, [orderNo]: hash }))
      return hash
    },
    signPayment: (payTo) => signPayment(chain, { payTo }, Date.now()),
  }
}
