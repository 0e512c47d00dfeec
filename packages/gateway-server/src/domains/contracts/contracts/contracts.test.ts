import { assets, contracts, lazyMinting, nfts } from '@mintmark/contracts'
import { commonSales } from '@mintmark/market'
import type { InputOf } from '@mintmark/operation'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOwnedToken } from '../../../testing/create-listing.ts'
import { type TestGateway, testGateway } from '../../../testing/gateway.ts'
import { sampleProject } from '../../../testing/samples/calls.ts'
import { newAddress, type SampleProject } from '../../../testing/samples/sample.ts'

let gateway: TestGateway
let project: SampleProject
beforeAll(async () => {
  gateway = await testGateway()
  project = await sampleProject(gateway, 'contracts')
})
afterAll(() => gateway.close())

const add = (more: Partial<InputOf<typeof contracts.add>> = {}) =>
  contracts.add(project.client, {
    nftAddress: newAddress(),
    name: 'Prints',
    nftType: 'ERC721',
    chainId: '84532',
    ...more,
  })
const get = (nftAddress: string) => contracts.get(project.client, { nftAddress })
const upper = (address: string) => address.toUpperCase().replace('0X', '0x')

it('a contract is registered once per chain, with its address in any case', async () => {
  const nftAddress = newAddress()
  const first = await add({ nftAddress: upper(nftAddress), name: 'First' })
  expect(first).toMatchObject({ nftAddress, name: 'First', owner: '', adult: false, metadata: '' })
  await expect(add({ nftAddress })).rejects.toMatchObject({ kind: 'Conflict', status: 409 })
  await add({ nftAddress, chainId: '1', allowUnknownChain: true, name: 'Second' })
  expect(await get(upper(nftAddress))).toEqual(first)
})

it('a contract is registered by one of several concurrent calls', async () => {
  const nftAddress = newAddress()
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => add({ nftAddress })))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

it('a contract keeps the fields that an update omits', async () => {
  const { nftAddress, createTime } = await add({ name: 'Prints' })
  const owner = newAddress()
  await contracts.update(project.client, { nftAddress, symbol: 'PRINT', owner: upper(owner) })
  const changed = await contracts.update(project.client, { nftAddress: upper(nftAddress), adult: true })
  expect(changed).toMatchObject({ name: 'Prints', symbol: 'PRINT', owner, adult: true, createTime })
  expect(await get(nftAddress)).toEqual(changed)
  expect(Date.parse(changed.updateTime)).toBeGreaterThanOrEqual(Date.parse(createTime))
})

it('a contract with an address on several chains is the first registered one, also for updates, until its removal', async () => {
  const nftAddress = newAddress()
  const first = await add({ nftAddress, name: 'First' })
  await add({ nftAddress, chainId: '1', allowUnknownChain: true, name: 'Second' })
  expect(await contracts.update(project.client, { nftAddress, symbol: 'A' })).toMatchObject({
    id: first.id,
  })
  await contracts.remove(project.client, { id: first.id })
  expect(await get(nftAddress)).toMatchObject({ name: 'Second', symbol: '', chainId: '1' })
})

it('a contract is missing after its removal and can be registered again', async () => {
  const { id, nftAddress } = await add()
  expect(await contracts.remove(project.client, { id })).toEqual({})
  for (const gone of [
    () => get(nftAddress),
    () => contracts.remove(project.client, { id }),
    () => contracts.update(project.client, { nftAddress, name: 'Again' }),
    () => contracts.extension(project.client, { nftAddress }),
    () => contracts.updateExtension(project.client, { nftAddress, extension: {} }),
  ]) {
    await expect(gone()).rejects.toMatchObject({ kind: 'NotFound' })
  }
  expect((await add({ nftAddress })).id).not.toBe(id)
})

it('a contract cannot be removed while it has NFTs', async () => {
  const { id, nftAddress } = await add()
  const token = { nftAddress, nftId: '7' }
  await nfts.add(project.client, { ...token, owner: newAddress(), name: 'Blue' })
  await expect(contracts.remove(project.client, { id })).rejects.toMatchObject({ kind: 'Conflict' })
  await nfts.remove(project.client, token)
  expect(await contracts.remove(project.client, { id })).toEqual({})
})

it('a contract cannot be removed while it has lazy NFTs', async () => {
  const { id, nftAddress } = await add()
  const nft = await lazyMinting.addNft(project.client, {
    nftAddress,
    name: 'Comet',
    tokenUri: 'ipfs://comet',
  })
  await expect(contracts.remove(project.client, { id })).rejects.toMatchObject({ kind: 'Conflict' })
  await lazyMinting.removeNft(project.client, { id: nft.id })
  expect(await contracts.remove(project.client, { id })).toEqual({})
})

it('a contract cannot be removed while it has NFTs without an owner', async () => {
  const nftAddress = newAddress()
  const { id } = await add({ nftAddress, index: true })
  await nfts.add(project.client, { nftAddress, nftId: '7', owner: newAddress(), name: 'Blue' })
  await expect(contracts.remove(project.client, { id })).rejects.toMatchObject({ kind: 'Conflict' })
})

it.each([false, true])(
  'a contract with tokens that are no NFTs is removed with them, unless some are reserved (indexed: %j)',
  async (indexed) => {
    const token = await createOwnedToken(gateway, project.projectId, { indexed })
    const { seller: owner, nftAddress } = token
    const { id, chainId } = await get(nftAddress)
    const listing = await commonSales.putOnShelf(project.client, { ...token, quantity: 1, payPrice: '1' })
    await expect(contracts.remove(project.client, { id })).rejects.toMatchObject({ kind: 'Conflict' })
    expect((await get(nftAddress)).id).toBe(id)
    await commonSales.takeOffShelf(project.client, { id: listing.id })
    expect((await assets.list(project.client, { owner })).list).toHaveLength(1)
    await contracts.remove(project.client, { id })
    expect((await assets.list(project.client, { owner })).list).toEqual([])
    await add({ nftAddress, chainId })
    await nfts.add(project.client, { nftAddress, nftId: token.nftId, owner: newAddress(), name: 'Blue' })
  },
)

it('a contract is either removed or has a reserved token if both happen concurrently', async () => {
  for (let round = 0; round < 10; round++) {
    const token = await createOwnedToken(gateway, project.projectId)
    const { id } = await get(token.nftAddress)
    const outcomes = await Promise.allSettled([
      contracts.remove(project.client, { id }),
      commonSales.putOnShelf(project.client, { ...token, quantity: 1, payPrice: '1' }),
    ])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  }
})

it('a contract is either removed or gets an NFT if both happen concurrently', async () => {
  for (let round = 0; round < 10; round++) {
    const { id, nftAddress } = await add()
    const nft = { nftAddress, nftId: '7', owner: newAddress(), name: 'Blue' }
    const outcomes = await Promise.allSettled([
      contracts.remove(project.client, { id }),
      nfts.add(project.client, nft),
    ])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  }
})

describe('lists of contracts', () => {
  const namesOf = async (query: object) =>
    (await contracts.list(project.client, query)).list.map(({ name }) => name)

  it('lists of contracts filter by owner, type and keyword, in the order of age or name', async () => {
    const owner = newAddress()
    for (const name of ['Cubes', 'Ashes', 'Blue_50%']) await add({ owner, name })
    await contracts.add(project.client, {
      nftAddress: newAddress(),
      owner,
      name: 'Edition',
      nftType: 'ERC1155',
      chainId: '1',
      allowUnknownChain: true,
    })
    expect(await namesOf({ owner: upper(owner) })).toEqual(['Edition', 'Blue_50%', 'Ashes', 'Cubes'])
    expect(await namesOf({ owner, nftType: 'ERC1155' })).toEqual(['Edition'])
    expect(await namesOf({ owner, orderBy: 'name desc' })).toEqual(['Edition', 'Cubes', 'Blue_50%', 'Ashes'])
    expect(await namesOf({ owner, keyword: '_50%' })).toEqual(['Blue_50%'])
    expect(await namesOf({ owner, keyword: '%' })).toEqual(['Blue_50%'])
    expect(await namesOf({ owner, keyword: 'ASH' })).toEqual(['Ashes'])
  })
})

it('an extension is any JSON object and replaces the previous one', async () => {
  const { nftAddress } = await add()
  const extension = { a: [1, 2.5, 'ü', null, { b: false }], c: {}, '': '"' }
  const updated = await contracts.updateExtension(project.client, {
    nftAddress: upper(nftAddress),
    extension,
  })
  expect(updated).toEqual({ nftAddress, extension })
  expect(await contracts.extension(project.client, { nftAddress })).toEqual(updated)
  await contracts.updateExtension(project.client, { nftAddress, extension: { d: 1 } })
  expect(await contracts.extension(project.client, { nftAddress })).toMatchObject({ extension: { d: 1 } })
})

it('an extension has at most 65,536 bytes of JSON', async () => {
  const { nftAddress } = await add()
  const update = (extension: { [name: string]: unknown }) =>
    contracts.updateExtension(project.client, { nftAddress, extension })
  const longest = { text: `${'é'.repeat(32_762)}x` }
  expect(Buffer.byteLength(JSON.stringify(longest))).toBe(65_536)
  expect(await update(longest)).toMatchObject({ extension: longest })
  await expect(update({ text: `${longest.text}x` })).rejects.toMatchObject({
    issues: [{ path: 'extension', message: 'Expected at most 65536 bytes of JSON' }],
  })
})
