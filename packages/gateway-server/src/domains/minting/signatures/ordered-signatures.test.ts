import { lazyMinting } from '@mintmark/contracts'
import { productCards } from '@mintmark/market'
import { orders } from '@mintmark/orders'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestGateway, testGateway } from '../../../testing/gateway.ts'
import { createMintFixture, type MintFixture } from '../../../testing/mint-fixture.ts'
import { newHash } from '../../../testing/order-fixture.ts'
import {
  addFinalMint,
  addFinalPayment,
  createProductPresale,
  expireSignatures,
  runMintWatcher,
} from '../../../testing/presales.ts'
import { sampleProject } from '../../../testing/samples/calls.ts'
import { newAddress, type SampleProject } from '../../../testing/samples/sample.ts'

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

it('a signature for a mint that an order sells is refused with the reason until the order is a SUCCESS, then is free and the same for every repeat', async () => {
  const presale = await mints.aPresale()
  const { nftId } = await mints.addNft(presale)
  const placed = await mints.order(presale, { nftId })
  const { orderNo, recipient } = placed
  const refused = (state: string) =>
    expect(mints.sign(presale, recipient, { nftId })).rejects.toMatchObject({
      status: 409,
      code: 40957,
      message: expect.stringContaining(state),
    })
  await refused('PRE')
  const hash = newHash()
  await mints.orderFixture.pay(placed, hash)
  await refused('IN_PROGRESS')
  addFinalPayment(gateway, hash)
  await mints.orderFixture.verify()
  const signed = await mints.sign(presale, recipient, { nftId })
  expect(signed).toMatchObject({
    nftId,
    recipient,
    orderNo,
    price: '1000',
    status: 'SIGNED',
    payload: { to: recipient, pricePerToken: '0', uri: 'ipfs://blue' },
  })
  expect(await mints.sign(presale, recipient, { orderNo })).toEqual(signed)
  await expect(mints.sign(presale, newAddress(), { nftId })).rejects.toEqual(refusedWith(40954))
})

it('a signature for a mint that an order sells needs an order if the phase is priced by orders', async () => {
  const [presale, product] = [await mints.aPresale(), await createProductPresale(project.client)]
  const { nftId } = await mints.addNft(presale)
  const recipient = newAddress()
  await expect(mints.sign(presale, recipient, { nftId })).rejects.toEqual(refusedWith(40957))
  await expect(mints.sign(presale, recipient)).rejects.toEqual(refusedWith(40957))
  const { nftAddress } = product
  await expect(productCards.mintSign(project.client, { nftAddress, recipient })).rejects.toEqual(
    refusedWith(40957),
  )
  expect(await mints.claimed(presale)).toBe(0)
})

it('a signature for a mint that an order sells is refused for the order of another wallet, another NFT or an unknown number', async () => {
  const presale = await mints.aPresale()
  const { orderNo, recipient } = await mints.aPaidOrder(presale, { quantity: 2 })
  for (const [who, more] of [
    [newAddress(), {}],
    [recipient, { quantity: 1 }],
    [recipient, { nftId: '1' }],
  ] as const)
    await expect(mints.sign(presale, who, { orderNo, ...more })).rejects.toMatchObject({ status: 400 })
  await expect(mints.sign(await mints.aPresale(), recipient, { orderNo })).rejects.toMatchObject({
    status: 404,
  })
  expect(await mints.sign(presale, recipient, { orderNo })).toMatchObject({ quantity: 2 })
})

it('a signature for a mint that an order sells is issued after the phase has ended, because the mint was paid before', async () => {
  const presale = await mints.aPresale()
  const { orderNo, recipient } = await mints.aPaidOrder(presale)
  const { nftAddress } = presale
  await lazyMinting.updatePresale(project.client, { nftAddress, phases: [] })
  expect(await mints.sign(presale, recipient, { orderNo })).toMatchObject({ phase: 'public', orderNo })
})

it('a signature for a mint that an order sells does not block a mint at the contract’s price in a later phase, and is issued as well', async () => {
  const [presale, recipient] = [await mints.aPresale(), newAddress()]
  const waits = await mints.order(presale, { recipient })
  const { nftAddress } = presale
  const phases = [{ name: 'later', startTime: '2021-01-01T00:00:00Z', price: '5' }]
  await lazyMinting.updatePresale(project.client, { nftAddress, phases })
  expect(await mints.sign(presale, recipient)).toMatchObject({ price: '5', orderNo: '' })
  await mints.pay(waits)
  expect(await mints.sign(presale, recipient)).toMatchObject({ price: '1000', orderNo: waits.orderNo })
})

it('a signature for a mint that an order sells is issued for each of a wallet’s orders separately', async () => {
  const [presale, recipient] = [await mints.aPresale(), newAddress()]
  const [one, two] = [
    await mints.aPaidOrder(presale, { recipient }),
    await mints.aPaidOrder(presale, { recipient }),
  ]
  const [first, second] = [
    await mints.sign(presale, recipient, { orderNo: one.orderNo }),
    await mints.sign(presale, recipient, { orderNo: two.orderNo }),
  ]
  expect(first.uid).not.toBe(second.uid)
  addFinalMint(gateway, first.uid, '1')
  addFinalMint(gateway, second.uid, '2')
  await runMintWatcher(gateway)
  for (const { orderNo } of [one, two])
    await expect(mints.sign(presale, recipient, { orderNo })).rejects.toMatchObject({
      code: 40954,
      message: expect.stringContaining('minted'),
    })
  await expect(mints.sign(presale, recipient)).rejects.toEqual(refusedWith(40957))
})

it('a signature for a mint that an order sells is refused once it was used, and its use stays recorded, also under an Idempotency-Key', async () => {
  const presale = await mints.aPresale()
  const { orderNo, recipient } = await mints.aPaidOrder(presale)
  const { uid } = await mints.sign(presale, recipient, { orderNo })
  addFinalMint(gateway, uid, '7')
  const { nftAddress } = presale
  const repeat = lazyMinting.mintSign(
    project.client,
    { nftAddress, recipient, orderNo },
    { idempotencyKey: orderNo },
  )
  await expect(repeat).rejects.toEqual(refusedWith(40954))
  const reservation = await gateway.owner.system
    .selectFrom('gateway.mint_reservations')
    .select('token_id')
    .where('uid', '=', uid)
    .executeTakeFirstOrThrow()
  expect(reservation.token_id).toBe('7')
})

it('a signature for a mint that an order sells delivers the order and appears in the token’s history once it is minted', async () => {
  const presale = await mints.aPresale()
  const { id, nftId } = await mints.addNft(presale)
  const placed = await mints.aPaidOrder(presale, { nftId })
  const { orderNo, recipient } = placed
  const history = (token: string) =>
    orders.nftHistory(project.client, { nftAddress: presale.nftAddress, nftId: token })
  expect(await orders.get(project.client, { orderNo })).toMatchObject({ delivery: 'pending' })
  expect((await history(nftId)).totalRow).toBe(0)
  const { uid } = await mints.sign(presale, recipient, { nftId })
  addFinalMint(gateway, uid, '71')
  await runMintWatcher(gateway)
  expect(await mints.statusOfNft(id)).toBe('MINTED')
  expect(await orders.get(project.client, { orderNo })).toMatchObject({ delivery: 'done', nftId: '71' })
  expect((await history('71')).list.map((each) => each.orderNo)).toEqual([orderNo])
  expect(await mints.orderFixture.events(placed)).toEqual(['reported', 'paid', 'delivered'])
  const sold = await orders.soldList(project.client, { sender: presale.seller })
  expect(sold.list.map((each) => each.orderNo)).toEqual([orderNo])
})

it('a signature for a mint that an order sells is issued again whenever it expires unused, and keeps the paid units reserved', async () => {
  const presale = await mints.aPresale({ maxClaimable: 1, limitPerWallet: 1 })
  const { id, nftId } = await mints.addNft(presale)
  const { orderNo, recipient } = await mints.aPaidOrder(presale, { nftId })
  const uids = new Set<string>()
  for (let turn = 0; turn < 3; turn += 1) {
    const signed = await mints.sign(presale, recipient, { orderNo })
    uids.add(signed.uid)
    expireSignatures(gateway)
    // No new one is issued until that is final.
    await expect(mints.sign(presale, recipient, { orderNo })).rejects.toEqual(refusedWith(40955))
    await runMintWatcher(gateway)
    expect([await mints.statusOfNft(id), await mints.claimed(presale)]).toEqual(['RESERVED', 1])
  }
  expect(uids.size).toBe(3)
  const { uid } = await mints.sign(presale, recipient, { nftId })
  addFinalMint(gateway, uid, '3')
  await runMintWatcher(gateway)
  expect(await orders.get(project.client, { orderNo })).toMatchObject({ delivery: 'done', nftId: '3' })
})
