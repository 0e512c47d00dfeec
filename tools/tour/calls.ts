import { commemorativeCards, eventCards, promoCodeCards } from '@mintmark/cards'
import { contracts } from '@mintmark/contracts'
import { payments } from '@mintmark/facilitator'
import { productCards } from '@mintmark/market'
import { orders } from '@mintmark/orders'
import type { FacilitatorClient, GatewayClient } from '@mintmark/transport'
import { type CallResult, type OperationShape, withResponse } from '@mintmark/transport/operation'
import { walletInfo } from '@mintmark/wallet'
import type { Credentials } from '../start/credentials.ts'
import type { DemoPayments } from './payments.ts'

/** One stop of the tour: what it shows, and the call. */
export interface Stop {
  title: string
  operation: Pick<OperationShape, 'id' | 'path'> & { method: string }
  call(): Promise<CallResult>
}

const day = 24 * 3600 * 1000

/** The nine operations that the specification states fully, in its order. */
export function statedCalls(
  { demo }: Credentials,
  gateway: GatewayClient,
  facilitator: FacilitatorClient,
  chain: DemoPayments,
): Stop[] {
  const card = {
    name: 'Two for one',
    nftAddress: demo.nftAddress,
    startTime: new Date().toISOString(),
    endTime: new Date(Date.now() + 30 * day).toISOString(),
    totalIssued: 100,
    applicableStores: ['Berlin', 'Hamburg'],
    usageInstructions: 'Show the code at the till.',
  }
  let made = 0
  return [
    {
      title: "A wallet's info",
      operation: walletInfo.get,
      call: () => withResponse(walletInfo.get, gateway, { address: demo.wallet }),
    },
    {
      title: 'A promo code card is made',
      operation: promoCodeCards.create,
      async call() {
        const result = await withResponse(promoCodeCards.create, gateway, card)
        made = result.data.id
        return result
      },
    },
    {
      title: 'and looked at',
      operation: promoCodeCards.get,
      call: () => withResponse(promoCodeCards.get, gateway, { id: made }),
    },
    {
      title: 'An event card is made',
      operation: eventCards.create,
      call: () =>
        withResponse(eventCards.create, gateway, { ...card, name: 'Opening night', isCheckedIn: false }),
    },
    {
      title: 'A product card gets an NFT',
      operation: productCards.addNftInfo,
      call: () =>
        withResponse(productCards.addNftInfo, gateway, {
          name: 'Print 1',
          nftAddress: demo.nftAddress,
          owner: demo.creator,
          status: 'DISPLAY',
          royaltyPercentage: 5,
          properties: [{ trait_type: 'paper', value: 'cotton' }],
        }),
    },
    {
      title: 'An order is paid on the chain, and its payment reported',
      operation: orders.payOrder,
      async call() {
        const hash = await chain.payOrder(demo.orderNo, demo.creator)
        return await withResponse(orders.payOrder, gateway, {
          hash,
          orderNo: demo.orderNo,
          recipient: demo.wallet,
        })
      },
    },
    {
      title: 'A contract',
      operation: contracts.get,
      call: () => withResponse(contracts.get, gateway, { nftAddress: demo.nftAddress }),
    },
    {
      title: "A creator's commemorative cards",
      operation: commemorativeCards.listByCreator,
      call: () => withResponse(commemorativeCards.listByCreator, gateway, { creator: demo.creator }),
    },
    {
      title: 'A payment is signed and settled',
      operation: payments.settle,
      call: async () => withResponse(payments.settle, facilitator, await chain.signPayment(demo.creator)),
    },
  ]
}
