import { contracts, lazyMinting } from '@mintmark/contracts'
import { productCards } from '@mintmark/market'
import type { GatewayClient } from '@mintmark/operation'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { orderPort } from '../../../main/composition.ts'
import { type TestGateway, testGateway } from '../../../testing/gateway.ts'
import { clientOf } from '../../../testing/samples/calls.ts'
import { newAddress } from '../../../testing/samples/sample.ts'
import { createMintWatcher } from '../../minting/watching/watch-mints.ts'

let gateway: TestGateway
let client: GatewayClient
beforeAll(async () => {
  gateway = await testGateway()
  client = clientOf(gateway, gateway.key)
})
afterAll(() => gateway.close())

let nftAddress: string
let owner: string
beforeEach(async () => {
  ;[nftAddress, owner] = [newAddress(), newAddress()]
  await contracts.add(client, { nftAddress, name: 'Lamps', nftType: 'ERC721', chainId: '84532' })
  await productCards.updatePresale(client, {
    nftAddress,
    phases: [{ name: 'public', startTime: '2020-01-01T00:00:00Z', price: '1000' }],
  })
})

/** Adds an NFT and returns it as the product page lists it. */
async function addNft(more: object = {}) {
  await productCards.addNftInfo(client, { nftAddress, name: 'Lamp', owner, tokenUri: 'ipfs://lamp', ...more })
  const { nfts } = await productCards.product(client, { nftAddress })
  const [nft] = nfts
  if (nft === undefined) throw new Error('The NFT is not listed')
  return nft
}
const nftNow = async (id: number) =>
  (await productCards.product(client, { nftAddress })).nfts.find((nft) => nft.id === id)
const sign = (more: object = {}) =>
  productCards.mintSign(client, { nftAddress, recipient: newAddress(), ...more })

/** Mints a signature in a final block. */
async function mint({ uid }: { uid: string }, tokenId: string) {
  const { mintChain } = gateway
  mintChain.block += 1
  mintChain.mints.set(uid, { uid, tokenId, hash: `0x${'cd'.repeat(32)}`, block: mintChain.block })
  await watch()
}

async function watch() {
  gateway.mintChain.block += 2
  const due = { due_at: new Date(0) }
  await gateway.owner.system
    .updateTable('gateway.mint_reservations')
    .set(due)
    .where('status', '=', 'SIGNED')
    .execute()
  const log = { error: () => {} } as never
  await createMintWatcher({
    orders: orderPort,
    database: gateway.database,
    chain: gateway.mintChain,
    log,
  }).run()
}

it('an NFT of a product and a lazily minted one of the same contract are found by their own operations only', async () => {
  const product = await addNft()
  const lazy = await lazyMinting.addNft(client, { nftAddress, name: 'Print', tokenUri: 'ipfs://print' })
  await lazyMinting.updatePresale(client, {
    nftAddress,
    phases: [{ name: 'public', startTime: '2020-01-01T00:00:00Z', price: '1000' }],
  })
  const recipient = newAddress()
  const token = { nftAddress, nftId: lazy.nftId }
  for (const call of [
    () => lazyMinting.getNft(client, { id: product.id }),
    () => lazyMinting.updateNft(client, { id: product.id, name: 'Other' }),
    () => lazyMinting.removeNft(client, { id: product.id }),
    () => lazyMinting.mintSign(client, { nftAddress, nftId: product.nftId, recipient }),
    () => productCards.updateNftInfo(client, { id: lazy.id, name: 'Other' }),
    () => productCards.removeNftInfo(client, { id: lazy.id }),
    () => productCards.mintSign(client, { ...token, recipient }),
    () => productCards.tokenData(client, token),
  ])
    await expect(call()).rejects.toMatchObject({ status: 404 })
  const { counts, nfts } = await productCards.product(client, { nftAddress })
  expect(nfts).toEqual([product])
  expect(counts.displayed).toBe(1)
  expect((await lazyMinting.listNfts(client, { nftAddress })).list).toEqual([lazy])
})

it('an NFT of a product is minted up to its limit by concurrent calls', async () => {
  const { id, nftId } = await addNft({ limited: 10 })
  await expect(sign({ nftId, quantity: 11 })).rejects.toMatchObject({ code: 40907 })
  const done = await Promise.allSettled(Array.from({ length: 60 }, () => sign({ nftId })))
  const codes = done.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []))
  expect(codes).toHaveLength(50)
  expect(new Set(codes)).toEqual(new Set([40907]))
  expect(await nftNow(id)).toMatchObject({ reserved: 10, minted: 0, status: 'RESERVED' })
})

it('an NFT of a product shows the outcome of its signatures', async () => {
  const { id, nftId } = await addNft({ limited: 2 })
  const [recipient, other] = [newAddress(), newAddress()]
  const first = await sign({ nftId, recipient })
  await mint(first, '4')
  expect(await nftNow(id)).toMatchObject({ reserved: 0, minted: 1, status: 'DISPLAY' })
  await mint(await sign({ nftId, recipient: other }), '5')
  expect(await nftNow(id)).toMatchObject({ reserved: 0, minted: 2, status: 'MINTED' })
  expect((await productCards.product(client, { nftAddress })).counts).toMatchObject({
    minted: 1,
    mintedTokens: 2,
  })

  const mints = await productCards.mints(client, { nftAddress })
  expect(mints.list.map(({ recipient, tokenId, status }) => [recipient, tokenId, status])).toEqual([
    [other, '5', 'MINTED'],
    [recipient, '4', 'MINTED'],
  ])
  const { list } = await productCards.mints(client, { nftAddress, address: recipient })
  expect(list).toMatchObject([{ uid: first.uid, nftId, phase: 'public', hash: `0x${'cd'.repeat(32)}` }])
})

it('an NFT of a product is available again after an unused signature expires', async () => {
  const { id, nftId } = await addNft({ limited: 1 })
  await sign({ nftId })
  gateway.mintChain.time += 700
  gateway.mintChain.block += 350
  await watch()
  expect(await nftNow(id)).toMatchObject({ reserved: 0, status: 'DISPLAY' })
  const { list } = await productCards.mints(client, { nftAddress })
  expect(list.map(({ status }) => status)).toEqual(['RELEASED'])
  expect((await productCards.presale(client, { nftAddress })).phases[0]?.claimed).toBe(0)
})

it('an NFT of a product is by default the first with enough supply left', async () => {
  const [first, second] = [await addNft({ limited: 2 }), await addNft()]
  expect((await sign({ quantity: 3 })).nftId).toBe(second.nftId)
  expect((await sign({ quantity: 2 })).nftId).toBe(first.nftId)
  expect((await sign()).nftId).toBe(second.nftId)
})

it('an NFT of a product is the same for a repeated call, also if that took the last one', async () => {
  await addNft({ limited: 1, tokenUri: 'ipfs://last' })
  await addNft({ limited: 1, tokenUri: 'ipfs://next' })
  const recipient = newAddress()
  const first = await sign({ recipient })
  const again = await sign({ recipient })
  expect(again).toEqual(first)
  expect((await sign()).nftId).not.toBe(first.nftId)
})

it('an NFT of a product pays the price and the royalties to its owner', async () => {
  const { nftId } = await addNft({ royaltyPercentage: 12.5 })
  expect((await sign({ nftId })).payload).toMatchObject({
    primarySaleRecipient: owner,
    royaltyRecipient: owner,
    royaltyBps: '1250',
  })
})

it('an NFT of a product cannot be limited below what is reserved, and keeps a signed tokenUri', async () => {
  const { id, nftId } = await addNft({ limited: 5 })
  await sign({ nftId, quantity: 3 })
  const update = (more: object) => productCards.updateNftInfo(client, { id, ...more })
  await expect(update({ limited: 2 })).rejects.toMatchObject({ kind: 'Conflict' })
  await expect(update({ tokenUri: 'ipfs://other' })).rejects.toMatchObject({ kind: 'Conflict' })
  expect(await update({ limited: 3, name: 'Big lamp' })).toMatchObject({
    status: 'RESERVED',
    name: 'Big lamp',
  })
  expect(await update({ limited: 0 })).toMatchObject({ status: 'DISPLAY', limited: 0 })
  await expect(productCards.removeNftInfo(client, { id })).rejects.toMatchObject({ kind: 'Conflict' })
})

it('an NFT of a product that is hidden cannot be minted', async () => {
  const { id, nftId } = await addNft()
  await productCards.updateNftInfo(client, { id, status: 'HIDDEN' })
  await expect(sign({ nftId })).rejects.toMatchObject({ code: 40954 })
  await expect(sign()).rejects.toMatchObject({ code: 40907 })
})

it('an NFT of a product is missing after its removal', async () => {
  const { id, nftId } = await addNft()
  await productCards.removeNftInfo(client, { id })
  await expect(productCards.removeNftInfo(client, { id })).rejects.toMatchObject({ kind: 'NotFound' })
  await expect(sign({ nftId })).rejects.toMatchObject({ kind: 'NotFound' })
  await expect(productCards.tokenData(client, { nftAddress, nftId })).rejects.toMatchObject({
    kind: 'NotFound',
  })
})

it('token data is replaced only if the expected version is the present one', async () => {
  const { nftId } = await addNft()
  const write = (data: object, version?: number) =>
    productCards.writeData(client, {
      nftAddress,
      nftId,
      data: { ...data },
      ...(version !== undefined && { version }),
    })
  await expect(write({ a: 1 }, 1)).rejects.toMatchObject({ code: 40956, status: 409 })
  expect(await write({ a: 1 }, 0)).toMatchObject({ version: 1, data: { a: 1 } })
  await expect(write({ a: 2 }, 0)).rejects.toMatchObject({ code: 40956 })
  expect(await write({ b: 2 }, 1)).toMatchObject({ version: 2, data: { b: 2 } })
  await expect(write({ x: 1 }, 1)).rejects.toMatchObject({ code: 40956 })
  await expect(write({ x: 1 }, 3)).rejects.toMatchObject({ code: 40956 })
  expect(await write({ c: 3 })).toMatchObject({ version: 3 })
  expect(await productCards.tokenData(client, { nftAddress, nftId })).toMatchObject({
    version: 3,
    data: { c: 3 },
    updatedBy: 'test',
  })
})

it('token data of one version is written by one of several concurrent calls', async () => {
  const { nftId } = await addNft()
  const done = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) =>
      productCards.writeData(client, { nftAddress, nftId, data: { n }, version: 0 }),
    ),
  )
  expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

it('token data has a log of every change with its author and the previous data', async () => {
  const { nftId } = await addNft()
  const wallet = newAddress()
  const other = clientOf(gateway, await gateway.newKey({ wallet }))
  await Promise.all(
    Array.from({ length: 15 }, (_, n) =>
      productCards.writeData(n % 2 === 0 ? client : other, { nftAddress, nftId, data: { n } }),
    ),
  )
  const { list } = await productCards.tokenDataLog(client, { nftAddress, nftId, orderBy: 'id' })
  expect(list.map(({ version }) => version)).toEqual(Array.from({ length: 15 }, (_, n) => n + 1))
  let before: object = {}
  for (const change of list) {
    expect(change.before).toEqual(before)
    expect(change.changedBy).toBe(Number(change.after.n) % 2 === 0 ? 'test' : wallet)
    before = change.after
  }
  expect((await productCards.tokenData(client, { nftAddress, nftId })).data).toEqual(before)
})

it('token data has a log that the gateway’s database role cannot change', async () => {
  const { nftId } = await addNft()
  await productCards.writeData(client, { nftAddress, nftId, data: { n: 1 } })
  const db = gateway.database.forProject(gateway.key.projectId)
  const forged = db.updateTable('gateway.token_data_changes').set({ changed_by: 'nobody' }).execute()
  await expect(forged).rejects.toThrow('permission denied')
})
