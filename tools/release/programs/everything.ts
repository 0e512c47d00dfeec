// All domains together: a print is registered, listed and ordered, a card is created for it, and a
// facilitator is called.
import { commemorativeCards } from '@mintmark/cards'
import { contracts, nfts } from '@mintmark/contracts'
import { isMintmarkError } from '@mintmark/envelope'
import { payments } from '@mintmark/facilitator'
import { commonSales } from '@mintmark/market'
import { orders } from '@mintmark/orders'
import { createFacilitator, createGateway } from '@mintmark/transport'
import { walletInfo } from '@mintmark/wallet'
import given from './given.json' with { type: 'json' }

const { baseUrl, apiKey, secret, wallet: recipient, creator, chainId, nftAddress } = given.gateway
const gateway = createGateway({ baseUrl, credentials: { apiKey, secret } })

await walletInfo.add(gateway, { address: creator, name: 'Print Studio' })
const contract = {
  nftAddress,
  name: 'Early Web Prints',
  nftType: 'ERC1155',
  chainId,
  owner: creator,
} as const
await contracts.add(gateway, contract)
const again: unknown = await contracts.add(gateway, contract).catch((error: unknown) => error)
if (!isMintmarkError(again) || again.kind !== 'Conflict') throw again
await nfts.add(gateway, { nftAddress, nftId: '1', name: 'Blue page', owner: creator, quantity: 50 })

const { id: listingId, marketType } = await commonSales.putOnShelf(gateway, {
  seller: creator,
  nftAddress,
  nftId: '1',
  quantity: 5,
  payPrice: '1000000000000000',
})
const { orderNo } = await orders.preOrder(gateway, { marketType, listingId, quantity: 2, recipient })
const found: string[] = []
for await (const order of orders.list.items(gateway, { recipient })) found.push(order.orderNo)
if (!found.includes(orderNo)) throw new Error(`${orderNo} is not among the orders`)
await orders.cancel(gateway, { orderNo })

const times = { startTime: '2026-01-01T00:00:00Z', endTime: '2099-12-31T23:59:59Z' }
await commemorativeCards.create(gateway, {
  name: 'First print',
  nftAddress,
  nftId: '1',
  totalIssued: 5,
  ...times,
})
const page = await commemorativeCards.listByCreator(gateway, { creator })

const { paymentKinds } = await payments.supported(createFacilitator({ baseUrl: given.facilitator.baseUrl }))
console.log(`order ${orderNo}, ${page.totalRow} cards, ${paymentKinds.length} kinds of payment`)
