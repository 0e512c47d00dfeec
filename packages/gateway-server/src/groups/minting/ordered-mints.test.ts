import { lazyMinting } from '@mintmark/contracts'
import { productCards } from '@mintmark/market'
import { type Order, OrderStatus, orders } from '@mintmark/orders'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestGateway, testGateway } from '../../testing/gateway.ts'
import { newHash, type OrderDesk, orderDesk } from '../../testing/order-desk.ts'
import {
  aLazyPresale,
  aProductPresale,
  orderMint,
  outwaitSignatures,
  showMinted,
  showPaid,
  type TestPresale,
  watchMints,
} from '../../testing/presales.ts'
import { QUIET_TOKEN } from '../../testing/quiet-chain.ts'
import { sampleProject } from '../../testing/samples/calls.ts'
import { newAddress, type SampleProject } from '../../testing/samples/sample.ts'
import { resolveOrder } from '../orders/operator.ts'

let gateway: TestGateway
let project: SampleProject
let desk: OrderDesk
beforeAll(async () => {
  gateway = await testGateway()
  project = await sampleProject(gateway, 'drops')
  desk = orderDesk(project)
})
afterAll(() => gateway.close())

const refusedWith = (code: number) => expect.objectContaining({ code })
const aPresale = (phase: object = {}) => aLazyPresale(project.client, phase)
const addNft = ({ nftAddress }: TestPresale, more: object = {}) =>
  lazyMinting.addNft(project.client, { nftAddress, name: 'Blue', tokenUri: 'ipfs://blue', ...more })
const order = (presale: TestPresale, more?: Parameters<typeof orderMint>[2]) =>
  orderMint(project.client, presale, more)
const sign = ({ nftAddress }: { nftAddress: string }, recipient: string, more: object = {}) =>
  lazyMinting.mintSign(project.client, { nftAddress, recipient, ...more })
const claimed = async ({ nftAddress }: TestPresale) =>
  (await lazyMinting.presale(project.client, { nftAddress })).phases[0]?.claimed
const statusOfNft = async (id: number) => (await lazyMinting.getNft(project.client, { id })).status

/** Reports a payment that is final, and has the order looked at. */
async function pay(placed: Order): Promise<string> {
  const hash = newHash()
  showPaid(gateway, hash)
  await desk.pay(placed, hash).catch((error: { code?: number }) => {
    // Told too late, it is looked for all the same.
    if (error.code !== 40901) throw error
  })
  await desk.verify()
  return hash
}

async function aPaidOrder(presale: TestPresale, more?: Parameters<typeof orderMint>[2]) {
  const placed = await order(presale, more)
  await pay(placed)
  expect(await desk.see(placed)).toMatchObject({ status: 'SUCCESS' })
  return placed
}

describe('an order of a presale', () => {
  it('asks for the NFT’s price, paid to the collection’s recipient, and reserves the NFT', async () => {
    const presale = await aPresale()
    const [plain, priced] = [
      await addNft(presale),
      await addNft(presale, { name: 'Gold', price: '7000000', payTokenAddress: QUIET_TOKEN }),
    ]
    const placed = await order(presale, { nftId: plain.nftId })
    expect(placed).toMatchObject({
      ...{ marketType: 9, listingId: presale.listingId, orderStatus: OrderStatus.PRE },
      ...{ sender: presale.seller, payAmount: '1000', payTokenType: 'NATIVE' },
      ...{ nftAddress: presale.nftAddress, nftId: plain.nftId, nftName: 'Blue' },
    })
    expect(await order(presale, { nftId: priced.nftId })).toMatchObject({
      ...{ nftName: 'Gold', payAmount: '7000000', payTokenAddress: QUIET_TOKEN, payPrice: 7 },
    })
    expect([await statusOfNft(plain.id), await claimed(presale)]).toEqual(['RESERVED', 2])
    await expect(order(presale, { nftId: plain.nftId })).rejects.toEqual(refusedWith(40907))
  })

  it('of several tokens of the collection, or of a product, costs as many times the price', async () => {
    expect(await order(await aPresale(), { quantity: 3 })).toMatchObject({
      ...{ payAmount: '3000', nftId: '', nftName: 'Drops' },
    })
    const product = await aProductPresale(project.client)
    expect(await order(product, { quantity: 2 })).toMatchObject({
      ...{ marketType: 8, payAmount: '2000', nftId: product.nftId, nftName: 'Lamp', sender: product.seller },
    })
    await expect(order(product, { quantity: 4 })).rejects.toEqual(refusedWith(40907))
  })

  it('is held to the phase: its time, its limits, its whitelist', async () => {
    const later = await aPresale({ startTime: '2090-01-01T00:00:00Z' })
    await expect(order(later)).rejects.toEqual(refusedWith(40906))
    const few = await aPresale({ maxClaimable: 2, limitPerWallet: 1 })
    const recipient = newAddress()
    await order(few, { recipient })
    await expect(order(few, { recipient })).rejects.toEqual(refusedWith(40952))
    await order(few)
    await expect(order(few)).rejects.toEqual(refusedWith(40907))
    const listed = await aPresale({ whitelistMode: 'LIST' })
    const { nftAddress } = listed
    const entries = [{ address: recipient }]
    await lazyMinting.addToWhitelist(project.client, { nftAddress, phase: 'public', entries })
    await expect(order(listed)).rejects.toMatchObject({
      ...{ status: 403, code: 40351, message: expect.stringContaining('not_listed') },
    })
    await order(listed, { recipient })
  })

  it('takes over what its wallet has drawn, and counts it once', async () => {
    const presale = await aPresale({ limitPerWallet: 1 })
    const [{ id, nftId }, recipient] = [await addNft(presale), newAddress()]
    await lazyMinting.randomNft(project.client, { nftAddress: presale.nftAddress, recipient })
    await expect(sign(presale, recipient, { nftId })).rejects.toMatchObject({
      ...{ code: 40957, message: expect.stringContaining('preOrder') },
    })
    await expect(order(presale, { nftId })).rejects.toEqual(refusedWith(40907))
    const placed = await order(presale, { nftId, recipient })
    expect(await claimed(presale)).toBe(1)
    // It is no draw any more, and does not end like one.
    await outwaitDraws()
    expect(await statusOfNft(id)).toBe('RESERVED')
    await expect(order(presale, { nftId })).rejects.toEqual(refusedWith(40907))
    await pay(placed)
    expect(await sign(presale, recipient, { nftId })).toMatchObject({ nftId, orderNo: placed.orderNo })
  })

  it('is refused where the contract takes the price, and where there is none', async () => {
    const chain = await aPresale({ pricedBy: 'CHAIN' })
    const free = await aPresale({ price: '0' })
    const gift = await aPresale()
    const { nftId } = await addNft(gift, { price: '0' })
    for (const [presale, more] of [[chain], [free], [gift, { nftId }]] as const)
      await expect(order(presale, more)).rejects.toMatchObject({ kind: 'InvalidInput', status: 400 })
    expect([await claimed(chain), await claimed(free), await claimed(gift)]).toEqual([0, 0, 0])
    // What costs nothing is signed without an order.
    for (const [presale, more] of [[free], [gift, { nftId }]] as const)
      expect(await sign(presale, newAddress(), more)).toMatchObject({
        ...{ orderNo: '', payload: { pricePerToken: '0' } },
      })
  })

  it('is refused where nobody can be paid, in what nobody can pay with, and of what is not there', async () => {
    const presale = await aPresale({ payTokenAddress: newAddress() })
    await expect(order(presale)).rejects.toMatchObject({ status: 400 })
    const other = await aPresale()
    await lazyMinting.updateCollection(project.client, {
      ...{ nftAddress: other.nftAddress, primarySaleRecipient: '' },
    })
    await expect(order(other)).rejects.toMatchObject({
      code: 40906,
      message: expect.stringContaining('paid'),
    })
    for (const wrong of [
      { ...presale, listingId: 999_999 },
      { ...other, marketType: 8 as const },
    ])
      await expect(order(wrong)).rejects.toMatchObject({ status: wrong.marketType === 8 ? 400 : 404 })
    await expect(order(await aPresale(), { nftId: '999999' })).rejects.toMatchObject({ status: 404 })
  })

  it('leaves a wallet only so many open ones, and ends those past their time when another is asked for', async () => {
    const [presale, recipient] = [await aPresale({ maxClaimable: 5 }), newAddress()]
    const placed = []
    for (let count = 0; count < 5; count += 1) placed.push(await order(presale, { recipient }))
    await expect(order(presale)).rejects.toEqual(refusedWith(40907))
    const [first] = placed
    if (first) await desk.outwait(first)
    await order(presale, { recipient })
    expect(await claimed(presale)).toBe(5)
    const many = await aPresale()
    for (let count = 0; count < 5; count += 1) await order(many, { recipient })
    await expect(order(many, { recipient })).rejects.toEqual(refusedWith(40908))
    await order(many)
  })
})

describe('a signature for what an order sells', () => {
  it('is refused with the reason until the order is a SUCCESS, then costs nothing, and is the same again', async () => {
    const presale = await aPresale()
    const { nftId } = await addNft(presale)
    const placed = await order(presale, { nftId })
    const { orderNo, recipient } = placed
    const refused = (state: string) =>
      expect(sign(presale, recipient, { nftId })).rejects.toMatchObject({
        ...{ status: 409, code: 40957, message: expect.stringContaining(state) },
      })
    await refused('PRE')
    const hash = newHash()
    await desk.pay(placed, hash)
    await refused('IN_PROGRESS')
    showPaid(gateway, hash)
    await desk.verify()
    const signed = await sign(presale, recipient, { nftId })
    expect(signed).toMatchObject({
      ...{ nftId, recipient, orderNo, price: '1000', status: 'SIGNED' },
      payload: { to: recipient, pricePerToken: '0', uri: 'ipfs://blue' },
    })
    expect(await sign(presale, recipient, { orderNo })).toEqual(signed)
    await expect(sign(presale, newAddress(), { nftId })).rejects.toEqual(refusedWith(40954))
  })

  it('needs an order wherever the phase is priced by orders', async () => {
    const [presale, product] = [await aPresale(), await aProductPresale(project.client)]
    const { nftId } = await addNft(presale)
    const recipient = newAddress()
    await expect(sign(presale, recipient, { nftId })).rejects.toEqual(refusedWith(40957))
    await expect(sign(presale, recipient)).rejects.toEqual(refusedWith(40957))
    const { nftAddress } = product
    await expect(productCards.mintSign(project.client, { nftAddress, recipient })).rejects.toEqual(
      refusedWith(40957),
    )
    expect(await claimed(presale)).toBe(0)
  })

  it('names the order of another wallet, NFT or number in vain', async () => {
    const presale = await aPresale()
    const { orderNo, recipient } = await aPaidOrder(presale, { quantity: 2 })
    for (const [who, more] of [
      [newAddress(), {}],
      [recipient, { quantity: 1 }],
      [recipient, { nftId: '1' }],
    ] as const)
      await expect(sign(presale, who, { orderNo, ...more })).rejects.toMatchObject({ status: 400 })
    await expect(sign(await aPresale(), recipient, { orderNo })).rejects.toMatchObject({ status: 404 })
    expect(await sign(presale, recipient, { orderNo })).toMatchObject({ quantity: 2 })
  })

  it('is signed after the phase has ended: it was paid', async () => {
    const presale = await aPresale()
    const { orderNo, recipient } = await aPaidOrder(presale)
    const { nftAddress } = presale
    await lazyMinting.updatePresale(project.client, { nftAddress, phases: [] })
    expect(await sign(presale, recipient, { orderNo })).toMatchObject({ phase: 'public', orderNo })
  })

  it('does not stand in the way of the contract’s price in a later phase, and is signed beside it', async () => {
    const [presale, recipient] = [await aPresale(), newAddress()]
    const waits = await order(presale, { recipient })
    const { nftAddress } = presale
    const phases = [{ name: 'later', startTime: '2021-01-01T00:00:00Z', price: '5' }]
    await lazyMinting.updatePresale(project.client, { nftAddress, phases })
    expect(await sign(presale, recipient)).toMatchObject({ price: '5', orderNo: '' })
    await pay(waits)
    expect(await sign(presale, recipient)).toMatchObject({ price: '1000', orderNo: waits.orderNo })
  })

  it('gives each of a wallet’s orders one of its own', async () => {
    const [presale, recipient] = [await aPresale(), newAddress()]
    const [one, two] = [await aPaidOrder(presale, { recipient }), await aPaidOrder(presale, { recipient })]
    const [first, second] = [
      await sign(presale, recipient, { orderNo: one.orderNo }),
      await sign(presale, recipient, { orderNo: two.orderNo }),
    ]
    expect(first.uid).not.toBe(second.uid)
    showMinted(gateway, first.uid, '1')
    showMinted(gateway, second.uid, '2')
    await watchMints(gateway)
    for (const { orderNo } of [one, two])
      await expect(sign(presale, recipient, { orderNo })).rejects.toMatchObject({
        ...{ code: 40954, message: expect.stringContaining('minted') },
      })
    await expect(sign(presale, recipient)).rejects.toEqual(refusedWith(40957))
  })

  it('once it is minted delivers the order, and is in the token’s history', async () => {
    const presale = await aPresale()
    const { id, nftId } = await addNft(presale)
    const placed = await aPaidOrder(presale, { nftId })
    const { orderNo, recipient } = placed
    const history = (token: string) =>
      orders.nftHistory(project.client, { nftAddress: presale.nftAddress, nftId: token })
    expect(await orders.get(project.client, { orderNo })).toMatchObject({ delivery: 'pending' })
    expect((await history(nftId)).totalRow).toBe(0)
    const { uid } = await sign(presale, recipient, { nftId })
    showMinted(gateway, uid, '71')
    await watchMints(gateway)
    expect(await statusOfNft(id)).toBe('MINTED')
    expect(await orders.get(project.client, { orderNo })).toMatchObject({ delivery: 'done', nftId: '71' })
    expect((await history('71')).list.map((each) => each.orderNo)).toEqual([orderNo])
    expect(await desk.events(placed)).toEqual(['reported', 'paid', 'delivered'])
    const sold = await orders.soldList(project.client, { sender: presale.seller })
    expect(sold.list.map((each) => each.orderNo)).toEqual([orderNo])
  })

  it('that lapses unused is signed anew, as often as it takes, and keeps what was paid', async () => {
    const presale = await aPresale({ maxClaimable: 1, limitPerWallet: 1 })
    const { id, nftId } = await addNft(presale)
    const { orderNo, recipient } = await aPaidOrder(presale, { nftId })
    const uids = new Set<string>()
    for (let turn = 0; turn < 3; turn += 1) {
      const signed = await sign(presale, recipient, { orderNo })
      uids.add(signed.uid)
      outwaitSignatures(gateway)
      // Until that is final nobody gets a new one.
      await expect(sign(presale, recipient, { orderNo })).rejects.toEqual(refusedWith(40955))
      await watchMints(gateway)
      expect([await statusOfNft(id), await claimed(presale)]).toEqual(['RESERVED', 1])
    }
    expect(uids.size).toBe(3)
    const { uid } = await sign(presale, recipient, { nftId })
    showMinted(gateway, uid, '3')
    await watchMints(gateway)
    expect(await orders.get(project.client, { orderNo })).toMatchObject({ delivery: 'done', nftId: '3' })
  })
})

describe('what an order has reserved of a presale', () => {
  it('comes back once, when it is cancelled, has expired or failed', async () => {
    const presale = await aPresale({ limitPerWallet: 1 })
    const [{ id, nftId }, recipient] = [await addNft(presale), newAddress()]
    const cancelled = await order(presale, { nftId, recipient })
    await orders.cancel(project.client, { orderNo: cancelled.orderNo })
    await orders.cancel(project.client, { orderNo: cancelled.orderNo })
    expect([await statusOfNft(id), await claimed(presale)]).toEqual(['DISPLAY', 0])
    const expired = await order(presale, { nftId, recipient })
    await desk.outwait(expired)
    await desk.verify()
    expect([await statusOfNft(id), await claimed(presale)]).toEqual(['DISPLAY', 0])
    const failed = await order(presale, { nftId, recipient })
    const hash = newHash()
    await desk.pay(failed, hash)
    const block = gateway.chain.block + 1
    gateway.chain.sightings.set(hash, {
      ...{ kind: 'mined', block, blockHash: `0x${'1'.repeat(64)}`, final: true, outcome: 'reverted' },
    })
    await desk.verify()
    expect(await desk.see(failed)).toMatchObject({ status: 'FAILED', stock: 'released' })
    expect([await statusOfNft(id), await claimed(presale)]).toEqual(['DISPLAY', 0])
    await expect(sign(presale, recipient, { orderNo: failed.orderNo })).rejects.toMatchObject({
      ...{ code: 40957, message: expect.stringContaining('FAILED') },
    })
  })

  it('is reserved again for a payment that shows up after all, past the phase’s end too', async () => {
    const presale = await aPresale({ limitPerWallet: 1 })
    const { nftId } = await addNft(presale)
    const placed = await order(presale, { nftId })
    await orders.cancel(project.client, { orderNo: placed.orderNo })
    await endPhase(presale)
    await pay(placed)
    expect(await desk.see(placed)).toMatchObject({ status: 'SUCCESS', stock: 'taken' })
    expect(await claimed(presale)).toBe(1)
    expect(await sign(presale, placed.recipient, { nftId })).toMatchObject({ orderNo: placed.orderNo })
  })

  it('leaves an order UNRESOLVED where others have it by then', async () => {
    const presale = await aPresale()
    const { nftId } = await addNft(presale)
    const placed = await order(presale, { nftId })
    await orders.cancel(project.client, { orderNo: placed.orderNo })
    const other = await order(presale, { nftId })
    await pay(placed)
    expect(await desk.see(placed)).toMatchObject({ status: 'UNRESOLVED', reason: 'no_stock' })
    await expect(sign(presale, placed.recipient, { nftId })).rejects.toMatchObject({ status: 409 })
    await pay(other)
    expect(await sign(presale, other.recipient, { nftId })).toMatchObject({ orderNo: other.orderNo })
  })

  it('stays while a reorganisation has taken the payment back, and comes back when an operator says so', async () => {
    const presale = await aPresale()
    const { id, nftId } = await addNft(presale)
    const placed = await order(presale, { nftId })
    const { orderNo, recipient } = placed
    await reorganise(await pay(placed))
    expect(await desk.see(placed)).toMatchObject({ status: 'UNRESOLVED', stock: 'taken' })
    await expect(sign(presale, recipient, { orderNo })).rejects.toEqual(refusedWith(40957))
    expect(await statusOfNft(id)).toBe('RESERVED')
    await resolve(orderNo, 'resolved_failed')
    expect(await desk.see(placed)).toMatchObject({ status: 'FAILED', stock: 'released' })
    expect([await statusOfNft(id), await claimed(presale)]).toEqual(['DISPLAY', 0])
    expect((await orders.soldList(project.client, { sender: presale.seller })).totalRow).toBe(0)
  })

  it('that is signed by then comes back only when the signature has lapsed', async () => {
    const presale = await aPresale()
    const { id, nftId } = await addNft(presale)
    const placed = await order(presale, { nftId })
    const { orderNo, recipient } = placed
    const hash = await pay(placed)
    await sign(presale, recipient, { orderNo })
    await reorganise(hash)
    await resolve(orderNo, 'resolved_failed')
    expect([await statusOfNft(id), await claimed(presale)]).toEqual(['RESERVED', 1])
    outwaitSignatures(gateway)
    await watchMints(gateway)
    expect([await statusOfNft(id), await claimed(presale)]).toEqual(['DISPLAY', 0])
    expect(await desk.see(placed)).toMatchObject({ status: 'FAILED', stock: 'released' })
  })
})

async function resolve(orderNo: string, event: 'resolved_failed') {
  await resolveOrder(gateway.owner.system, { orderNo, event, actor: 'op', reason: 'a test' })
}

/** Takes the block of a payment, and the payment with it, off the chain. */
async function reorganise(hash: string): Promise<void> {
  const { paid_block: block } = await gateway.owner.system
    .selectFrom('gateway.orders')
    .select('paid_block')
    .where('hash', '=', hash)
    .executeTakeFirstOrThrow()
  gateway.chain.sightings.set(hash, { kind: 'unseen' })
  gateway.chain.blockHashes.set(block, newHash())
  await desk.verify()
}

async function endPhase({ listingId }: TestPresale): Promise<void> {
  await gateway.owner.system
    .updateTable('gateway.mint_phases')
    .set({ end_time: new Date('2021-01-01T00:00:00Z') })
    .where('id', '=', listingId)
    .execute()
}

async function outwaitDraws(): Promise<void> {
  const past = new Date(Date.now() - 1000)
  await gateway.owner.system.updateTable('gateway.mint_reservations').set({ expires_at: past }).execute()
  await gateway.owner.system
    .updateTable('gateway.lazy_nfts')
    .set({ reserved_until: past })
    .where('reserved_until', 'is not', null)
    .execute()
}
