import { assets, contracts, nfts } from '@mintmark/contracts'
import { commonSales } from '@mintmark/market'
import { orders } from '@mintmark/orders'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTenant } from '../../../database/tenant.ts'
import { findInventory } from '../../../main/composition.ts'
import { createOwnedToken } from '../../../testing/create-listing.ts'
import { FAKE_CHAIN_ID } from '../../../testing/fake-payment-chain.ts'
import { type TestGateway, testGateway } from '../../../testing/gateway.ts'
import { sampleProject } from '../../../testing/samples/calls.ts'
import { newAddress, type SampleProject } from '../../../testing/samples/sample.ts'
import * as orderStore from '../../orders/orders-store.ts'
import { transition } from '../../orders/state/transition.ts'

let gateway: TestGateway
let project: SampleProject
beforeAll(async () => {
  gateway = await testGateway()
  project = await sampleProject(gateway, 'assets')
})
afterAll(() => gateway.close())

let hashes = 0
/** Sells two of a token, as the verifier does once their payment is final. */
async function sellTwo(token: { nftAddress: string; nftId: string; seller: string }) {
  const recipient = newAddress()
  hashes += 1
  const hash = `0x${hashes.toString(16).padStart(64, '0')}`
  const listing = await commonSales.putOnShelf(project.client, { ...token, quantity: 5, payPrice: '1000' })
  const order = { marketType: 1, listingId: listing.id, quantity: 2, recipient }
  const { orderNo } = await orders.preOrder(project.client, order)
  await orders.payOrder(project.client, { hash, orderNo, recipient })
  await openTenant(gateway.database, project.projectId).transaction(async (trx) => {
    const locked = await orderStore.lock(trx, orderNo)
    if (locked) await transition(trx, findInventory, locked, 'paid', { hash })
  })
  return { recipient, orderNo, hash }
}

it('show the remaining balance of the seller, the balance of the buyer, and the transfer of a sale', async () => {
  const [seller, nftAddress] = [newAddress(), newAddress()]
  await contracts.add(project.client, {
    nftAddress,
    name: 'Prints',
    nftType: 'ERC1155',
    chainId: FAKE_CHAIN_ID,
  })
  const picture = 'https://example.com/7.png'
  const nft = { nftAddress, nftId: '7', owner: seller, name: 'Blue', imgUrl: picture, quantity: 10 }
  await nfts.add(project.client, nft)
  await nfts.add(project.client, { ...nft, nftId: '8', name: 'Red', imgUrl: '', owner: newAddress() })
  const { recipient, orderNo, hash } = await sellTwo({ nftAddress, nftId: '7', seller })

  const { list } = await assets.list(project.client, { nftAddress, orderBy: 'id' })
  expect(list).toMatchObject([
    { owner: seller, quantity: '8', reserved: '3', name: 'Blue', imgUrl: picture, nftType: 'ERC1155' },
    { nftId: '8', quantity: '10', name: 'Red', imgUrl: '' },
    { owner: recipient, quantity: '2', reserved: '0', name: 'Blue', imgUrl: picture },
  ])
  expect((await assets.list(project.client, { owner: recipient })).list).toEqual([list[2]])
  const transfers = await assets.transfers(project.client, { nftAddress, nftId: '7' })
  expect(transfers.list).toMatchObject([
    { from: seller, to: recipient, quantity: '2', orderNo, hash },
    { from: `0x${'0'.repeat(40)}`, to: seller, quantity: '10', orderNo: '', hash: '' },
  ])
  for (const [address, count] of [
    [seller, 2],
    [recipient.toUpperCase().replace('0X', '0x'), 1],
    [newAddress(), 0],
  ] as const) {
    expect((await assets.transfers(project.client, { address })).totalRow).toBe(count)
  }
  // The owner of most, whoever had them first.
  expect(await nfts.get(project.client, { nftAddress, nftId: '7' })).toMatchObject({ owner: seller })
  await expect(nfts.remove(project.client, { nftAddress, nftId: '7' })).rejects.toMatchObject({
    kind: 'Conflict',
  })
})

it('exclude a wallet that sold all of its tokens', async () => {
  const owned = await createOwnedToken(gateway, project.projectId, { quantity: 5 })
  const [before] = (await assets.list(project.client, { owner: owned.seller })).list
  await gateway.owner.system
    .updateTable('gateway.assets')
    .set({ quantity: '0' })
    .where('id', '=', before?.id ?? 0)
    .execute()
  await expect(assets.get(project.client, { id: before?.id ?? 0 })).rejects.toMatchObject({
    kind: 'NotFound',
  })
  expect((await assets.list(project.client, { owner: owned.seller })).list).toEqual([])
})

it('record no transfer for a sale of an indexed contract, because the chain does', async () => {
  const token = await createOwnedToken(gateway, project.projectId, { indexed: true })
  await sellTwo(token)
  expect((await assets.transfers(project.client, { nftAddress: token.nftAddress })).list).toEqual([])
})

it('have an immutable transfer history', async () => {
  const db = gateway.database.forProject(project.projectId)
  const change = db.updateTable('gateway.transfers').set({ quantity: '99' }).execute()
  await expect(change).rejects.toThrow(/permission denied/)
})
