// Two domains over one client: a card is made, and the orders of a wallet are gone through.
import { eventCards } from '@mintmark/cards'
import { type Order, orders } from '@mintmark/orders'
import { createGateway } from '@mintmark/transport'
import given from './gateway.json' with { type: 'json' }

const { baseUrl, apiKey, secret, nftAddress, wallet } = given
const gateway = createGateway({ baseUrl, credentials: { apiKey, secret } })

const card = await eventCards.create(gateway, {
  name: 'Opening night',
  nftAddress,
  startTime: '2026-01-01T00:00:00Z',
  endTime: '2099-12-31T23:59:59Z',
  totalIssued: 10,
})
const placed: Order[] = []
for await (const order of orders.list.items(gateway, { recipient: wallet })) placed.push(order)
const missing: unknown = await orders.get(gateway, { orderNo: 'none' }).catch((error: unknown) => error)
if (!(missing instanceof Error && 'kind' in missing && missing.kind === 'NotFound')) throw missing

console.log(`event card ${card.id}, ${placed.length} orders`)
