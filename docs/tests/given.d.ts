// The globals of the documents' examples. A block may declare its own instead.
import type { PaymentPayload, PaymentRequirements } from '@mintmark/facilitator'
import type { FacilitatorClient, GatewayClient } from '@mintmark/transport'
import type { PrivateKeyAccount } from 'viem'

declare global {
  /** The gateway's address; in the facilitator's README the facilitator's. */
  const baseUrl: string
  const apiKey: string
  const secret: string
  /** A key for pages. Only pages of its origins can use it. */
  const publishableKey: string
  const facilitatorUrl: string
  /** The facilitator's key. */
  const token: string
  const creator: string
  const buyer: string
  const nftAddress: string
  /** A node of the chain. */
  const rpcUrl: string
  /** An unpaid order, its buyer, and the hash of a transaction that was never sent. */
  const orderNo: string
  const recipient: string
  const hash: string
  /** The seller's address. */
  const payTo: string
  const gateway: GatewayClient
  const facilitator: FacilitatorClient
  /** The facilitator's operator interface. */
  const operator: FacilitatorClient
  /** A wallet without an account at the facilitator. */
  const newWallet: string
  /** The wallet of the facilitator's account, which is charged for settles. */
  const wallet: PrivateKeyAccount
  /** A wallet that holds the token that payments are made in. */
  const customer: PrivateKeyAccount
  /** Where a server receives webhooks. */
  const webhookUrl: string
  const request: Request
  const paymentPayload: PaymentPayload
  const paymentRequirements: PaymentRequirements
}
