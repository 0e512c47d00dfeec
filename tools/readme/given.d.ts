// What the examples of the documents take as given. A block that declares one of these itself has its own.
import type { PaymentPayload, PaymentRequirements } from '@mintmark/facilitator'
import type { FacilitatorClient, GatewayClient } from '@mintmark/transport'
import type { PrivateKeyAccount } from 'viem'

declare global {
  /** Where the gateway answers; in the facilitator's README, where the facilitator does. */
  const baseUrl: string
  const apiKey: string
  const secret: string
  const facilitatorUrl: string
  /** The facilitator's key. */
  const token: string
  const creator: string
  const buyer: string
  const nftAddress: string
  /** A node of the chain. */
  const rpcUrl: string
  /** An order that waits for its payment, by whom, and a transaction that nobody has sent. */
  const orderNo: string
  const recipient: string
  const hash: string
  /** Whom customers pay. */
  const payTo: string
  const gateway: GatewayClient
  const facilitator: FacilitatorClient
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
