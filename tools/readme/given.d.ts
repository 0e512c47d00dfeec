// What the examples of the documents take as given. A block that declares one of these itself has its own.
import type { PaymentPayload, PaymentRequirements, TypedDataWallet } from '@mintmark/facilitator'
import type { FacilitatorClient, GatewayClient } from '@mintmark/transport'

declare global {
  const baseUrl: string
  const apiKey: string
  const secret: string
  const token: string
  const creator: string
  const buyer: string
  const nftAddress: string
  const rpcUrl: string
  const recipient: string
  const orderNo: string
  const hash: string
  const payTo: string
  const gateway: GatewayClient
  const facilitator: FacilitatorClient
  const wallet: TypedDataWallet
  const request: Request
  const paymentPayload: PaymentPayload
  const paymentRequirements: PaymentRequirements
}
