import { assets, contracts, nfts } from '@mintmark/contracts'
import { commonSales } from '@mintmark/market'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOwnedToken } from '../../../testing/create-listing.ts'
import { FAKE_CHAIN_ID } from '../../../testing/fake-payment-chain.ts'
import { type TestGateway, testGateway } from '../../../testing/gateway.ts'
import { clientOf, sampleProject } from '../../../testing/samples/calls.ts'
import { newAddress, type SampleProject } from '../../../testing/samples/sample.ts'
import { removeDuplicates } from './nft-rules.ts'

let gateway: TestGateway
let project: SampleProject
beforeAll(async () => {
  gateway = await testGateway()
  project = await sampleProject(gateway, 'nfts')
})
afterAll(() => gateway.close())

const NOBODY = `0x${'0'.repeat(40)}`
async function aContract(more: { nftType?: string; owner?: string; index?: boolean } = {}): Promise<string> {
  const contract = { name: 'Prints', nftType: 'ERC721', chainId: FAKE_CHAIN_ID, ...more }
  return (await contracts.add(project.client, { nftAddress: newAddress(), ...contract })).nftAddress
}
const add = (nftAddress: string, more: Partial<Parameters<typeof nfts.add>[1]> = {}) =>
  nfts.add(project.client, { nftAddress, nftId: '7', owner: newAddress(), name: 'Blue', ...more })
const ownedBy = async (owner: string) =>
  (await assets.list(project.client, { owner })).list.map(({ nftId, quantity, reserved }) => ({
    nftId,
    quantity,
    reserved,
  }))
const transfersOf = async (nftAddress: string) =>
  (await assets.transfers(project.client, { nftAddress, orderBy: 'id' })).list.map(
    ({ from, to, quantity }) => [from, to, quantity],
  )

it('an NFT belongs to its owner when it is added', async () => {
  const [nftAddress, owner] = [await aContract(), newAddress()]
  const added = await add(nftAddress, { owner: owner.toUpperCase().replace('0X', '0x') })
  expect(added).toMatchObject({ nftAddress, owner, quantity: 1, nftType: 'ERC721', chainId: FAKE_CHAIN_ID })
  expect(await nfts.get(project.client, { nftAddress, nftId: '7' })).toEqual(added)
  expect(await ownedBy(owner)).toEqual([{ nftId: '7', quantity: '1', reserved: '0' }])
  expect(await transfersOf(nftAddress)).toEqual([[NOBODY, owner, '1']])
})

it('an NFT has a supply of 1 for ERC721 and any supply for ERC1155', async () => {
  const two = add(await aContract(), { quantity: 2 })
  await expect(two).rejects.toMatchObject({ kind: 'InvalidInput', issues: [{ path: 'quantity' }] })
  const owner = newAddress()
  await add(await aContract({ nftType: 'ERC1155' }), { owner, quantity: 500 })
  expect(await ownedBy(owner)).toEqual([{ nftId: '7', quantity: '500', reserved: '0' }])
})

it('an NFT has the owner of its contract as its creator, or else the wallet of the key, or else its owner', async () => {
  const [creator, wallet, owner] = [newAddress(), newAddress(), newAddress()]
  expect(await add(await aContract({ owner: creator }), { owner })).toMatchObject({ creator, owner })
  const nftAddress = await aContract()
  expect(await add(nftAddress, { owner })).toMatchObject({ creator: owner })
  const client = clientOf(gateway, await gateway.newKey({ project: 'nfts', wallet }))
  const other = { nftAddress, nftId: '8', owner, name: 'Blue' }
  expect(await nfts.add(client, other)).toMatchObject({ creator: wallet })
})

it('an NFT requires a registered contract', async () => {
  await expect(add(newAddress())).rejects.toMatchObject({ kind: 'NotFound' })
})

it('an NFT is added by one of several concurrent calls, and belongs to the owner of that call', async () => {
  const nftAddress = await aContract()
  const owners = Array.from({ length: 10 }, newAddress)
  const outcomes = await Promise.allSettled(owners.map((owner) => add(nftAddress, { owner })))
  const [added, ...more] = outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  expect(more).toEqual([])
  const refused = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason.kind] : []))
  expect(refused).toEqual(Array(9).fill('Conflict'))
  const { list } = await assets.list(project.client, { nftAddress })
  expect(list.map(({ owner, quantity }) => [owner, quantity])).toEqual([[added?.owner, '1']])
})

it('an NFT cannot be added if a wallet already owns some of it', async () => {
  const token = await createOwnedToken(gateway, project.projectId, { quantity: 5 })
  for (const owner of [token.seller, newAddress()]) {
    const addition = add(token.nftAddress, { owner, quantity: 3 })
    await expect(addition).rejects.toMatchObject({ kind: 'Conflict' })
  }
  expect(await ownedBy(token.seller)).toEqual([{ nftId: '7', quantity: '5', reserved: '0' }])
  expect(await transfersOf(token.nftAddress)).toEqual([])
})

it('an NFT of an indexed contract has the owner that the chain reports', async () => {
  const [nftAddress, owner] = [await aContract({ index: true }), newAddress()]
  expect(await add(nftAddress, { owner })).toMatchObject({ owner: '' })
  expect(await ownedBy(owner)).toEqual([])
  expect(await transfersOf(nftAddress)).toEqual([])
  expect(await nfts.remove(project.client, { nftAddress, nftId: '7' })).toEqual({})
})

describe('removing an NFT', () => {
  const remove = (nftAddress: string) => nfts.remove(project.client, { nftAddress, nftId: '7' })

  it('removing an NFT removes it from its owner and allows adding it again', async () => {
    const [nftAddress, owner, next] = [await aContract(), newAddress(), newAddress()]
    await add(nftAddress, { owner })
    expect(await remove(nftAddress)).toEqual({})
    await expect(remove(nftAddress)).rejects.toMatchObject({ kind: 'NotFound' })
    await expect(nfts.get(project.client, { nftAddress, nftId: '7' })).rejects.toMatchObject({
      kind: 'NotFound',
    })
    expect(await ownedBy(owner)).toEqual([])
    await add(nftAddress, { owner: next })
    await remove(nftAddress)
    await add(nftAddress, { owner })
    expect(await transfersOf(nftAddress)).toEqual([
      [NOBODY, owner, '1'],
      [owner, NOBODY, '1'],
      [NOBODY, next, '1'],
      [next, NOBODY, '1'],
      [NOBODY, owner, '1'],
    ])
  })

  it('removing an NFT is refused while some of it is on the shelf', async () => {
    const [nftAddress, seller] = [await aContract({ nftType: 'ERC1155' }), newAddress()]
    await add(nftAddress, { owner: seller, quantity: 10 })
    const offer = { nftAddress, nftId: '7', seller, quantity: 3, payPrice: '1000' }
    const listing = await commonSales.putOnShelf(project.client, offer)
    expect(await ownedBy(seller)).toEqual([{ nftId: '7', quantity: '10', reserved: '3' }])
    await expect(remove(nftAddress)).rejects.toMatchObject({ kind: 'Conflict' })
    expect(await nfts.get(project.client, { nftAddress, nftId: '7' })).toMatchObject({ owner: seller })
    await commonSales.takeOffShelf(project.client, { id: listing.id })
    expect(await remove(nftAddress)).toEqual({})
  })

  it('removing an NFT excludes a concurrent listing of it', async () => {
    for (let round = 0; round < 5; round++) {
      const [nftAddress, seller] = [await aContract(), newAddress()]
      await add(nftAddress, { owner: seller })
      const offer = { nftAddress, nftId: '7', seller, quantity: 1, payPrice: '1000' }
      const outcomes = await Promise.allSettled([
        remove(nftAddress),
        commonSales.putOnShelf(project.client, offer),
      ])
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      const owned = outcomes[0]?.status === 'fulfilled' ? [] : [{ nftId: '7', quantity: '1', reserved: '1' }]
      expect(await ownedBy(seller)).toEqual(owned)
    }
  })
})

describe('lists of NFTs', () => {
  const color = (value: string) => ({ trait_type: 'color', value })
  const size = (value: string) => ({ trait_type: 'size', value })
  let nftAddress: string
  const owner = newAddress()
  beforeAll(async () => {
    nftAddress = await aContract()
    await add(nftAddress, { nftId: '1', name: 'Cube', owner, properties: [color('blue'), size('blue')] })
    await add(nftAddress, { nftId: '2', name: 'Ash', properties: [color('red'), color('red')] })
    await add(nftAddress, { nftId: '3', name: 'Boat_1', owner, description: 'Blue sails' })
    await add(nftAddress, { nftId: '4', name: 'Gone', properties: [color('blue')] })
    await nfts.remove(project.client, { nftAddress, nftId: '4' })
  })
  const idsOf = async (query: object) =>
    (await nfts.list(project.client, { nftAddress, ...query })).list.map(({ nftId }) => nftId)

  it('lists of NFTs are ordered by age or name and paginated', async () => {
    expect(await idsOf({})).toEqual(['3', '2', '1'])
    expect(await idsOf({ orderBy: 'name' })).toEqual(['2', '3', '1'])
    const names: string[] = []
    for await (const { nftId } of nfts.list.items(project.client, { nftAddress, pageSize: 1 }))
      names.push(nftId)
    expect(names).toEqual(['3', '2', '1'])
  })

  it('lists of NFTs filter by owner, creator, keyword and property', async () => {
    expect(await idsOf({ owner: owner.toUpperCase().replace('0X', '0x') })).toEqual(['3', '1'])
    expect(await idsOf({ creator: owner })).toEqual(['3', '1'])
    expect(await idsOf({ keyword: 'blue' })).toEqual(['3'])
    expect(await idsOf({ keyword: '_' })).toEqual(['3'])
    expect(await idsOf({ trait_type: 'color' })).toEqual(['2', '1'])
    expect(await idsOf({ trait_type: 'color', value: 'blue' })).toEqual(['1'])
    expect(await idsOf({ value: 'red' })).toEqual(['2'])
    expect(await idsOf({ trait_type: 'color', value: 'green' })).toEqual([])
  })

  it('lists of NFTs report the rarity of each property in the collection', async () => {
    const all = await nfts.properties(project.client, { nftAddress })
    expect(all).toEqual([
      { ...color('blue'), count: 1, rarity: 1 / 3 },
      { ...color('red'), count: 1, rarity: 1 / 3 },
      { ...size('blue'), count: 1, rarity: 1 / 3 },
    ])
    expect(await nfts.properties(project.client, { nftAddress, nftId: '2' })).toEqual([all[1]])
    expect(await nfts.properties(project.client, { nftAddress, nftId: '3' })).toEqual([])
    for (const nftId of ['4', '5']) {
      await expect(nfts.properties(project.client, { nftAddress, nftId })).rejects.toMatchObject({
        kind: 'NotFound',
      })
    }
    expect(await nfts.get(project.client, { nftAddress, nftId: '2' })).toMatchObject({
      properties: [color('red'), color('red')],
    })
  })
})

it('counts equal properties once and different properties separately', () => {
  const a = { trait_type: 'a', value: 'b' }
  const b = { trait_type: 'a","b', value: '' }
  expect(removeDuplicates([a, { ...a }, b])).toEqual([a, b])
})
