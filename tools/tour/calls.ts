import { commemorativeCards, eventCards, promoCodeCards } from '@mintmark/cards'
import { contracts } from '@mintmark/contracts'
import { payments } from '@mintmark/facilitator'
import { productCards } from '@mintmark/market'
import { orders } from '@mintmark/orders'
import type { FacilitatorClient, GatewayClient } from '@mintmark/transport'
import { walletInfo } from '@mintmark/wallet'
import type { Credentials } from '../start/credentials.ts'
import type { DemoPayments } from './payments.ts'
import { type Stop, stopsOf } from './stops.ts'

const DAY_MS = 24 * 3600 * 1000

/** The nine operations that the specification states completely, in its order. */
export function statedCalls(
  { demo }: Credentials,
  gateway: GatewayClient,
  facilitator: FacilitatorClient,
  chain: DemoPayments,
): Stop[] {
  const stop = stopsOf(gateway)
  const { nftAddress, creator, wallet, orderNo } = demo
  const card = {
    name: 'Two for one',
    nftAddress,
    startTime: new Date().toISOString(),
    endTime: new Date(Date.now() + 30 * DAY_MS).toISOString(),
    totalIssued: 100,
    applicableStores: ['Berlin', 'Hamburg'],
    usageInstructions: 'Show the code at the till.',
  }
  let id = 0
  return [
    stop("Get a wallet's profile", walletInfo.get, () => ({ address: wallet })),
    stop(
      'Create a promo code card',
      promoCodeCards.create,
      () => card,
      (made) => {
        id = made.id
      },
    ),
    stop('Read the card', promoCodeCards.get, () => ({ id })),
    stop('Create an event card', eventCards.create, () => ({
      ...card,
      name: 'Opening night',
      isCheckedIn: false,
    })),
    stop('Add an NFT to a product card', productCards.addNftInfo, () => ({
      name: 'Print 1',
      nftAddress,
      owner: creator,
      status: 'DISPLAY',
      royaltyPercentage: 5,
      properties: [{ trait_type: 'paper', value: 'cotton' }],
    })),
    stop('Pay an order on the chain and report the payment', orders.payOrder, async () => ({
      hash: await chain.payOrder(orderNo, creator),
      orderNo,
      recipient: wallet,
    })),
    stop('Read a contract', contracts.get, () => ({ nftAddress })),
    stop("List a creator's commemorative cards", commemorativeCards.listByCreator, () => ({ creator })),
    stopsOf(facilitator)('Sign a payment and settle it', payments.settle, () => chain.signPayment(creator)),
  ]
}
