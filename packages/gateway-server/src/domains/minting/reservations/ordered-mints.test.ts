import { lazyMinting } from '@mintmark/contracts'
import { OrderStatus, orders } from '@mintmark/orders'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findInventory } from '../../../main/composition.ts'
import { FAKE_TOKEN } from '../../../testing/fake-payment-chain.ts'
import { type TestGateway, testGateway } from '../../../testing/gateway.ts'
import { createMintFixture, type MintFixture } from '../../../testing/mint-fixture.ts'
import { newHash } from '../../../testing/order-fixture.ts'
import {
  createProductPresale,
  expireSignatures,
  runMintWatcher,
  type TestPresale,
} from '../../../testing/presales.ts'
import { sampleProject } from '../../../testing/samples/calls.ts'
import { newAddress, type SampleProject } from '../../../testing/samples/sample.ts'
import { resolveOrder } from '../../orders/verification/operator.ts'

let gateway: TestGateway
let project: SampleProject
let mints: MintFixture
beforeAll(async () => {
  gateway = await testGateway()
  project = await sampleProject(gateway, 'drops')
  mints = createMintFixture(gateway, project)
})
afterAll(() => gateway.close())

const refusedWith = (code: number) => expect.objectContaining({ code })

it('an order of a presale costs the NFT’s price, names the collection’s recipient as payee, and reserves the NFT', async () => {
  const presale = await mints.aPresale()
  const [plain, priced] = [
    await mints.addNft(presale),
    await mints.addNft(presale, { name: 'Gold', price: '7000000', payTokenAddress: FAKE_TOKEN }),
  ]
  const placed = await mints.order(presale, { nftId: plain.nftId })
  expect(placed).toMatchObject({
    marketType: 9,
    phaseId: presale.phaseId,
    listingId: 0,
    orderStatus: OrderStatus.PRE,
    sender: presale.seller,
    payAmount: '1000',
    payTokenType: 'NATIVE',
    nftAddress: presale.nftAddress,
    nftId: plain.nftId,
    nftName: 'Blue',
  })
  expect(await mints.order(presale, { nftId: priced.nftId })).toMatchObject({
    nftName: 'Gold',
    payAmount: '7000000',
    payTokenAddress: FAKE_TOKEN,
    payPrice: 7,
  })
  expect([await mints.statusOfNft(plain.id), await mints.claimed(presale)]).toEqual(['RESERVED', 2])
  await expect(mints.order(presale, { nftId: plain.nftId })).rejects.toEqual(refusedWith(40954))
})

it('an order of a presale multiplies the price by the quantity, for the collection’s own token and for products', async () => {
  expect(await mints.order(await mints.aPresale(), { quantity: 3 })).toMatchObject({
    payAmount: '3000',
    nftId: '',
    nftName: 'Drops',
  })
  const product = await createProductPresale(project.client)
  expect(await mints.order(product, { quantity: 2 })).toMatchObject({
    marketType: 8,
    payAmount: '2000',
    nftId: product.nftId,
    nftName: 'Lamp',
    sender: product.seller,
  })
  await expect(mints.order(product, { quantity: 4 })).rejects.toMatchObject({
    code: 40907,
    detail: { remaining: 3 },
  })
})

it('an order of a presale is refused if no transfer can pay for it, and reserves nothing', async () => {
  for (const price of [String(2n ** 255n), '9'.repeat(77)]) {
    const presale = await mints.aPresale({ price })
    await expect(mints.order(presale, { quantity: 20 })).rejects.toMatchObject({
      kind: 'InvalidInput',
      status: 400,
    })
    expect(await mints.claimed(presale)).toBe(0)
    expect(await mints.order(presale)).toMatchObject({ payAmount: price })
  }
})

it('an order of a presale respects the time, the limits and the whitelist of the phase', async () => {
  const later = await mints.aPresale({ startTime: '2090-01-01T00:00:00Z' })
  await expect(mints.order(later)).rejects.toMatchObject({
    code: 40951,
    detail: { opensAt: '2090-01-01T00:00:00.000Z' },
  })
  const few = await mints.aPresale({ maxClaimable: 2, limitPerWallet: 1 })
  const recipient = newAddress()
  await mints.order(few, { recipient })
  await expect(mints.order(few, { recipient })).rejects.toEqual(refusedWith(40952))
  await mints.order(few)
  await expect(mints.order(few)).rejects.toEqual(refusedWith(40907))
  const listed = await mints.aPresale({ whitelistMode: 'LIST' })
  const { nftAddress } = listed
  const entries = [{ address: recipient }]
  await lazyMinting.addToWhitelist(project.client, { nftAddress, phase: 'public', entries })
  await expect(mints.order(listed)).rejects.toMatchObject({
    status: 403,
    code: 40351,
    message: expect.stringContaining('not on the whitelist'),
  })
  await mints.order(listed, { recipient })
})

it('an order of a presale takes over what its wallet has drawn, and counts it once', async () => {
  const presale = await mints.aPresale({ limitPerWallet: 1 })
  const [{ id, nftId }, recipient] = [await mints.addNft(presale), newAddress()]
  await lazyMinting.randomNft(project.client, { nftAddress: presale.nftAddress, recipient })
  await expect(mints.sign(presale, recipient, { nftId })).rejects.toMatchObject({
    code: 40957,
    message: expect.stringContaining('preOrder'),
  })
  await expect(mints.order(presale, { nftId })).rejects.toEqual(refusedWith(40954))
  const placed = await mints.order(presale, { nftId, recipient })
  expect(await mints.claimed(presale)).toBe(1)
  // It is no draw any more, and does not end like one.
  await outwaitDraws()
  expect(await mints.statusOfNft(id)).toBe('RESERVED')
  await expect(mints.order(presale, { nftId })).rejects.toEqual(refusedWith(40954))
  await mints.pay(placed)
  expect(await mints.sign(presale, recipient, { nftId })).toMatchObject({ nftId, orderNo: placed.orderNo })
})

it('an order of a presale is refused if the contract takes the price or the mint is free', async () => {
  const chain = await mints.aPresale({ pricedBy: 'CHAIN' })
  const free = await mints.aPresale({ price: '0' })
  const gift = await mints.aPresale()
  const { nftId } = await mints.addNft(gift, { price: '0' })
  for (const [presale, more] of [[chain], [free], [gift, { nftId }]] as const)
    await expect(mints.order(presale, more)).rejects.toMatchObject({ kind: 'InvalidInput', status: 400 })
  expect([await mints.claimed(chain), await mints.claimed(free), await mints.claimed(gift)]).toEqual([
    0, 0, 0,
  ])
  // What costs nothing is signed without an order.
  for (const [presale, more] of [[free], [gift, { nftId }]] as const)
    expect(await mints.sign(presale, newAddress(), more)).toMatchObject({
      orderNo: '',
      payload: { pricePerToken: '0' },
    })
})

it('an order of a presale is refused without a payee, with an unusable pay token, and for an unknown NFT', async () => {
  const presale = await mints.aPresale({ payTokenAddress: newAddress() })
  await expect(mints.order(presale)).rejects.toMatchObject({ status: 400 })
  const other = await mints.aPresale()
  await lazyMinting.updateCollection(project.client, {
    nftAddress: other.nftAddress,
    primarySaleRecipient: '',
  })
  await expect(mints.order(other)).rejects.toMatchObject({
    code: 40906,
    message: expect.stringContaining('paid'),
  })
  for (const wrong of [
    { ...presale, phaseId: 999_999 },
    { ...other, marketType: 8 as const },
  ])
    await expect(mints.order(wrong)).rejects.toMatchObject({ status: wrong.marketType === 8 ? 400 : 404 })
  await expect(mints.order(await mints.aPresale(), { nftId: '999999' })).rejects.toMatchObject({
    status: 404,
  })
})

it('an order of a presale is limited in number per wallet, and a further order expires overdue ones', async () => {
  const [presale, recipient] = [await mints.aPresale({ maxClaimable: 5 }), newAddress()]
  const placed = []
  for (let count = 0; count < 5; count += 1) placed.push(await mints.order(presale, { recipient }))
  await expect(mints.order(presale)).rejects.toEqual(refusedWith(40907))
  const [first] = placed
  const remaining = async () => {
    const query = { nftAddress: presale.nftAddress, address: recipient }
    return (await lazyMinting.checkWhitelist(project.client, query)).remaining
  }
  expect(await remaining()).toBe(0)
  if (first) await mints.orderFixture.expire(first)
  expect(await remaining()).toBe(1)
  await mints.order(presale, { recipient })
  expect(await mints.claimed(presale)).toBe(5)
  const many = await mints.aPresale()
  for (let count = 0; count < 5; count += 1) await mints.order(many, { recipient })
  await expect(mints.order(many, { recipient })).rejects.toEqual(refusedWith(40908))
  await mints.order(many)
})

it('the reservation of an order of a presale is released once when the order is cancelled, expires or fails', async () => {
  const presale = await mints.aPresale({ limitPerWallet: 1 })
  const [{ id, nftId }, recipient] = [await mints.addNft(presale), newAddress()]
  const cancelled = await mints.order(presale, { nftId, recipient })
  await orders.cancel(project.client, { orderNo: cancelled.orderNo })
  await orders.cancel(project.client, { orderNo: cancelled.orderNo })
  expect([await mints.statusOfNft(id), await mints.claimed(presale)]).toEqual(['DISPLAY', 0])
  const expired = await mints.order(presale, { nftId, recipient })
  await mints.orderFixture.expire(expired)
  await mints.orderFixture.verify()
  expect([await mints.statusOfNft(id), await mints.claimed(presale)]).toEqual(['DISPLAY', 0])
  const failed = await mints.order(presale, { nftId, recipient })
  const hash = newHash()
  await mints.orderFixture.pay(failed, hash)
  const block = gateway.chain.block + 1
  gateway.chain.sightings.set(hash, {
    kind: 'mined',
    block,
    blockHash: `0x${'1'.repeat(64)}`,
    final: true,
    outcome: 'reverted',
  })
  await mints.orderFixture.verify()
  expect(await mints.orderFixture.readState(failed)).toMatchObject({ status: 'FAILED', stock: 'released' })
  expect([await mints.statusOfNft(id), await mints.claimed(presale)]).toEqual(['DISPLAY', 0])
  await expect(mints.sign(presale, recipient, { orderNo: failed.orderNo })).rejects.toMatchObject({
    code: 40957,
    message: expect.stringContaining('FAILED'),
  })
})

it('the reservation of an order of a presale is reserved again for a late payment, even after the phase’s end', async () => {
  const presale = await mints.aPresale({ limitPerWallet: 1 })
  const { nftId } = await mints.addNft(presale)
  const placed = await mints.order(presale, { nftId })
  await orders.cancel(project.client, { orderNo: placed.orderNo })
  await endPhase(presale)
  await mints.pay(placed)
  expect(await mints.orderFixture.readState(placed)).toMatchObject({
    status: 'SUCCESS',
    stock: 'committed',
  })
  expect(await mints.claimed(presale)).toBe(1)
  expect(await mints.sign(presale, placed.recipient, { nftId })).toMatchObject({ orderNo: placed.orderNo })
})

it('the reservation of an order of a presale leaves a late-paid order UNRESOLVED if others have the units by then', async () => {
  const presale = await mints.aPresale()
  const { nftId } = await mints.addNft(presale)
  const placed = await mints.order(presale, { nftId })
  await orders.cancel(project.client, { orderNo: placed.orderNo })
  const other = await mints.order(presale, { nftId })
  await mints.pay(placed)
  expect(await mints.orderFixture.readState(placed)).toMatchObject({
    status: 'UNRESOLVED',
    reason: 'no_stock',
  })
  await expect(mints.sign(presale, placed.recipient, { nftId })).rejects.toMatchObject({ status: 409 })
  await mints.pay(other)
  expect(await mints.sign(presale, other.recipient, { nftId })).toMatchObject({ orderNo: other.orderNo })
})

it('the reservation of an order of a presale stays while a reorganization has removed the payment, and is released when an operator resolves the order as failed', async () => {
  const presale = await mints.aPresale()
  const { id, nftId } = await mints.addNft(presale)
  const placed = await mints.order(presale, { nftId })
  const { orderNo, recipient } = placed
  await reorganize(await mints.pay(placed))
  expect(await mints.orderFixture.readState(placed)).toMatchObject({
    status: 'UNRESOLVED',
    stock: 'committed',
  })
  await expect(mints.sign(presale, recipient, { orderNo })).rejects.toEqual(refusedWith(40957))
  expect(await mints.statusOfNft(id)).toBe('RESERVED')
  await resolve(orderNo, 'resolved_failed')
  expect(await mints.orderFixture.readState(placed)).toMatchObject({ status: 'FAILED', stock: 'released' })
  expect([await mints.statusOfNft(id), await mints.claimed(presale)]).toEqual(['DISPLAY', 0])
  expect((await orders.soldList(project.client, { sender: presale.seller })).totalRow).toBe(0)
})

it('the reservation of an order of a presale that is signed by then is released only when the signature has expired', async () => {
  const presale = await mints.aPresale()
  const { id, nftId } = await mints.addNft(presale)
  const placed = await mints.order(presale, { nftId })
  const { orderNo, recipient } = placed
  const hash = await mints.pay(placed)
  await mints.sign(presale, recipient, { orderNo })
  await reorganize(hash)
  await resolve(orderNo, 'resolved_failed')
  expect([await mints.statusOfNft(id), await mints.claimed(presale)]).toEqual(['RESERVED', 1])
  expireSignatures(gateway)
  await runMintWatcher(gateway)
  expect([await mints.statusOfNft(id), await mints.claimed(presale)]).toEqual(['DISPLAY', 0])
  expect(await mints.orderFixture.readState(placed)).toMatchObject({ status: 'FAILED', stock: 'released' })
})

async function resolve(orderNo: string, event: 'resolved_failed') {
  await resolveOrder(gateway.owner.system, findInventory, { orderNo, event, actor: 'op', reason: 'a test' })
}

/** Takes the block of a payment, and the payment with it, off the chain. */
async function reorganize(hash: string): Promise<void> {
  const { paid_block: block } = await gateway.owner.system
    .selectFrom('gateway.orders')
    .select('paid_block')
    .where('hash', '=', hash)
    .executeTakeFirstOrThrow()
  gateway.chain.sightings.set(hash, { kind: 'unseen' })
  gateway.chain.blockHashes.set(block, newHash())
  await mints.orderFixture.verify()
}

async function endPhase({ phaseId }: TestPresale): Promise<void> {
  await gateway.owner.system
    .updateTable('gateway.mint_phases')
    .set({ end_time: new Date('2021-01-01T00:00:00Z') })
    .where('id', '=', phaseId)
    .execute()
}

async function outwaitDraws(): Promise<void> {
  const past = new Date(Date.now() - 1000)
  await gateway.owner.system.updateTable('gateway.mint_reservations').set({ expires_at: past }).execute()
  await gateway.owner.system
    .updateTable('gateway.mintable_nfts')
    .set({ reserved_until: past })
    .where('reserved_until', 'is not', null)
    .execute()
}
