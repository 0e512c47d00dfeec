import { commemorativeCards, eventCards, promoCodeCards } from '@mintmark/cards'
import { contracts } from '@mintmark/contracts'
import { payments } from '@mintmark/facilitator'
import { productCards } from '@mintmark/market'
import { orders } from '@mintmark/orders'
import { walletInfo } from '@mintmark/wallet'
import type { Tour } from './tour.ts'

const DAY_MS = 24 * 3600 * 1000

/** Calls the nine operations that the specification states completely, in its order. */
export async function tourSpecification(tour: Tour): Promise<void> {
  const { nftAddress, creator, wallet, orderNo } = tour.credentials.demo
  const card = {
    name: 'Two for one',
    nftAddress,
    startTime: new Date().toISOString(),
    endTime: new Date(Date.now() + 30 * DAY_MS).toISOString(),
    totalIssued: 100,
    applicableStores: ['Berlin', 'Hamburg'],
    usageInstructions: 'Show the code at the till.',
  }
  await tour.call("Get a wallet's profile", walletInfo.get, { address: wallet })
  const { id } = await tour.call('Create a promo code card', promoCodeCards.create, card)
  await tour.call('Read the card', promoCodeCards.get, { id })
  const eventCard = { ...card, name: 'Opening night', isCheckedIn: false }
  await tour.call('Create an event card', eventCards.create, eventCard)
  await tour.call('Add an NFT to a product card', productCards.addNftInfo, {
    name: 'Print 1',
    nftAddress,
    owner: creator,
    status: 'DISPLAY',
    royaltyPercentage: 5,
    properties: [{ trait_type: 'paper', value: 'cotton' }],
  })
  await tour.step('Pay an order on the chain and report the payment', orders.payOrder, async () => {
    const hash = await tour.payments.payOrder(orderNo, creator)
    return await tour.gateway.call(orders.payOrder, { hash, orderNo, recipient: wallet })
  })
  await tour.call('Read a contract', contracts.get, { nftAddress })
  await tour.call("List a creator's commemorative cards", commemorativeCards.listByCreator, { creator })
  const payment = await tour.payments.signPayment(creator)
  await tour.call('Sign a payment and settle it', payments.settle, payment)
}
