import { projectSearch } from '@mintmark/admin'
import { promoCodeCards } from '@mintmark/cards'
import { orders } from '@mintmark/orders'
import { walletInfo } from '@mintmark/wallet'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTenant, Tenant } from '../../database/tenant.ts'
import { codeOf, createCardClient } from '../../testing/cards.ts'
import { countRowsRead } from '../../testing/count-rows-read.ts'
import { createListing } from '../../testing/create-listing.ts'
import { type TestGateway, testGateway } from '../../testing/gateway.ts'
import { addCards } from '../../testing/list-rows.ts'
import { newHash } from '../../testing/order-fixture.ts'
import { clientOf, sampleProject } from '../../testing/samples/calls.ts'
import { newAddress, type SampleProject } from '../../testing/samples/sample.ts'
import { findCards } from '../cards/programs/card-search.ts'
import { findOrders } from '../orders/order-search.ts'

let gateway: TestGateway
let project: SampleProject
beforeAll(async () => {
  gateway = await testGateway()
  project = await sampleProject(gateway, 'search')
})
afterAll(() => gateway.close())

/** Finds records of a project, as `kind id foundBy`. */
async function find(text: string, client = project.client): Promise<string[]> {
  const found = await projectSearch.find(client, { text })
  return found.map(({ kind, id, foundBy }) => `${kind} ${id} ${foundBy}`)
}

async function placeOrder(more: { recipient?: string; reference?: string } = {}, client = project.client) {
  const { marketType, id: listingId } = await createListing(project)
  return await orders.preOrder(client, {
    marketType,
    listingId,
    quantity: 1,
    recipient: newAddress(),
    ...more,
  })
}

it('an order is found by its number in any case, by the hash of its payment and by its reference', async () => {
  const order = await placeOrder({ reference: 'Table 7' })
  const hash = newHash()
  await orders.payOrder(project.client, { orderNo: order.orderNo, recipient: order.recipient, hash })
  expect(await find(` ${order.orderNo.toUpperCase()} `)).toEqual([`ORDER ${order.orderNo} ID`])
  expect(await find(hash.toUpperCase().replace('0X', '0x'))).toEqual([`ORDER ${order.orderNo} HASH`])
  expect(await find('Table 7')).toEqual([`ORDER ${order.orderNo} REFERENCE`])
  expect(await find('table 7')).toEqual([])
})

it('the orders of a buyer are found by the wallet and by the beginning of the profile’s name, newest first', async () => {
  const recipient = newAddress()
  const first = await placeOrder({ recipient })
  expect(await find(recipient)).toEqual([`ORDER ${first.orderNo} WALLET`])
  await walletInfo.add(project.client, { address: recipient, name: 'Élodie Ürgüp' })
  const second = await placeOrder({ recipient })
  const wallet = `WALLET ${recipient}`
  const found = (by: string) => [
    `ORDER ${second.orderNo} ${by}`,
    `ORDER ${first.orderNo} ${by}`,
    `${wallet} ${by}`,
  ]
  expect(await find('élodie')).toEqual(found('NAME'))
  expect(await find(recipient.toUpperCase().replace('0X', '0x'))).toEqual(found('WALLET'))
  await walletInfo.edit(project.client, { address: recipient, name: 'Zoë' })
  expect(await find('élodie')).toEqual([])
  expect(await find('ZOË')).toEqual(found('NAME'))
})

it('a card is found by its id, its code, its page, a part of its name and its holder', async () => {
  const creator = newAddress()
  const { create } = createCardClient(gateway, await gateway.newKey({ project: 'search', wallet: creator }))
  const card = await create('promoCodeCards', { name: 'Free espresso' })
  const event = await createCardClient(gateway, project.key).create('eventCards', { name: 'Espresso night' })
  const code = codeOf(card)
  expect(await find(String(card.id))).toEqual([`CARD ${card.id} ID`])
  expect(await find(code)).toEqual([`CARD ${card.id} CODE`])
  expect(await find(`https://shop.example/c/1/${code}?utm=mail`)).toEqual([`CARD ${card.id} CODE`])
  expect(await find('ESPRESSO')).toEqual([`CARD ${event.id} NAME`, `CARD ${card.id} NAME`])
  expect(await find(creator)).toEqual([`CARD ${card.id} WALLET`])
  await walletInfo.add(project.client, { address: creator, name: 'Greta Holm' })
  expect(await find('greta')).toEqual([`CARD ${card.id} WALLET`, `WALLET ${creator} NAME`])
  await promoCodeCards.remove(project.client, { id: Number(card.id) })
  expect(await find(code)).toEqual([])
})

it('a word that every card has in its name finds the newest cards, and reads a part of them', async () => {
  const many = await sampleProject(gateway, 'many cards')
  await addCards(gateway.owner.system, many.projectId, 5000)
  const { rows } = await sql<{ id: number }>`
    select id from gateway.cards where project_id = ${many.projectId} order by created_at desc, id desc limit 10`.execute(
    gateway.owner.system,
  )
  expect(await find('card', many.client)).toEqual(rows.map(({ id }) => `CARD ${id} NAME`))
  const read = await countRowsRead(gateway, ['cards'], async (trx) => {
    await sql`select set_config('mintmark.project', ${String(many.projectId)}, true)`.execute(trx)
    await findCards(
      new Tenant(trx, many.projectId),
      { text: 'card', holders: [], referenceOwner: undefined },
      10,
    )
  })
  expect(read).toBeLessThan(1100)
})

it('a search finds nothing of another project, and no kind whose scope the key lacks', async () => {
  const address = newAddress()
  const order = await placeOrder({ recipient: address, reference: 'hidden' })
  await walletInfo.add(project.client, { address, name: 'Greta' })
  const { create } = createCardClient(gateway, project.key)
  const card = await create('promoCodeCards', { name: 'Secret tasting', reference: 'hidden card' })
  const other = await sampleProject(gateway, 'another search')
  const ofCard = [String(card.id), codeOf(card), 'Secret tasting', 'hidden card']
  for (const text of ofCard) expect(await find(text)).toHaveLength(1)
  for (const text of [order.orderNo, address, 'Greta', 'hidden', ...ofCard])
    expect(await find(text, other.client)).toEqual([])
  const scoped = await gateway.newKey({ project: 'search', scopes: ['orders:read'] })
  expect(await find('Greta', clientOf(gateway, scoped))).toEqual([`ORDER ${order.orderNo} NAME`])
  const cards = await gateway.newKey({ project: 'search', scopes: ['cards:read'] })
  await expect(find('Greta', clientOf(gateway, cards))).rejects.toMatchObject({ status: 403 })
})

it('the newest orders with a reference are found first, whoever has set it', async () => {
  const wallets = [newAddress(), newAddress()].sort().reverse()
  const [later, earlier] = await Promise.all(
    wallets.map(async (wallet) => clientOf(gateway, await gateway.newKey({ project: 'search', wallet }))),
  )
  for (let count = 0; count < 10; count += 1) await placeOrder({ reference: 'shared' }, earlier)
  const { orderNo } = await placeOrder({ reference: 'shared' }, later)
  const tenant = openTenant(gateway.database, project.key.projectId)
  const found = await findOrders(tenant, { text: 'shared', buyers: [], referenceOwner: undefined }, 10)
  expect([found.length, found[0]]).toMatchObject([10, { order_no: orderNo }])
})

it('a key finds the references that its wallet has set, and not those of another wallet', async () => {
  const mine = await gateway.newKey({ project: 'search', wallet: newAddress() })
  const order = await placeOrder({ reference: 'theirs' })
  expect(await find('theirs')).toEqual([`ORDER ${order.orderNo} REFERENCE`])
  expect(await find('theirs', clientOf(gateway, mine))).toEqual([])
  const card = await createCardClient(gateway, mine).create('promoCodeCards', { reference: 'mine' })
  expect(await find('mine', clientOf(gateway, mine))).toEqual([`CARD ${card.id} REFERENCE`])
  expect(await find('mine')).toEqual([])
})

it.each(['%', '_', '\\', "'", '" or 1=1', '\u{10ffff}', '0x', '☕', ' '])(
  'a search for %j finds nothing and fails nowhere',
  async (text) => {
    expect(await find(text)).toEqual([])
  },
)
