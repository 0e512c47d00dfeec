import { contracts, lazyMinting, nfts } from '@mintmark/contracts'
import type { InputOf } from '@mintmark/operation'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestGateway, testGateway } from '../../testing/gateway.ts'
import { anOwnedToken } from '../../testing/on-shelf.ts'
import { sampleProject } from '../../testing/samples/calls.ts'
import { newAddress, type SampleProject } from '../../testing/samples/sample.ts'
import { extensionProblem, isChainId } from './contract-rules.ts'

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

describe('a contract', () => {
  it('is registered once a chain, whatever the case of its address', async () => {
    const nftAddress = newAddress()
    const first = await add({ nftAddress: upper(nftAddress), name: 'First' })
    expect(first).toMatchObject({ nftAddress, name: 'First', owner: '', adult: false, metadata: '' })
    await expect(add({ nftAddress })).rejects.toMatchObject({ kind: 'Conflict', status: 409 })
    await add({ nftAddress, chainId: '1', allowUnknownChain: true, name: 'Second' })
    expect(await get(upper(nftAddress))).toEqual(first)
  })

  it('is registered by one of many that do it at once', async () => {
    const nftAddress = newAddress()
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => add({ nftAddress })))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('keeps what a change leaves out', async () => {
    const { nftAddress, createTime } = await add({ name: 'Prints' })
    const owner = newAddress()
    await contracts.update(project.client, { nftAddress, symbol: 'PRINT', owner: upper(owner) })
    const changed = await contracts.update(project.client, { nftAddress: upper(nftAddress), adult: true })
    expect(changed).toMatchObject({ name: 'Prints', symbol: 'PRINT', owner, adult: true, createTime })
    expect(await get(nftAddress)).toEqual(changed)
    expect(Date.parse(changed.updateTime)).toBeGreaterThanOrEqual(Date.parse(createTime))
  })

  it('whose address is on several chains is the one registered first, for changes too, until it is removed', async () => {
    const nftAddress = newAddress()
    const first = await add({ nftAddress, name: 'First' })
    await add({ nftAddress, chainId: '1', allowUnknownChain: true, name: 'Second' })
    expect(await contracts.update(project.client, { nftAddress, symbol: 'A' })).toMatchObject({
      id: first.id,
    })
    await contracts.remove(project.client, { id: first.id })
    expect(await get(nftAddress)).toMatchObject({ name: 'Second', symbol: '', chainId: '1' })
  })

  it('is gone once it is removed, and can be registered anew', async () => {
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

  it('is not removed while it has NFTs', async () => {
    const { id, nftAddress } = await add()
    const token = { nftAddress, nftId: '7' }
    await nfts.add(project.client, { ...token, owner: newAddress(), name: 'Blue' })
    await expect(contracts.remove(project.client, { id })).rejects.toMatchObject({ kind: 'Conflict' })
    await nfts.remove(project.client, token)
    expect(await contracts.remove(project.client, { id })).toEqual({})
  })

  it('is not removed while it has NFTs that are not minted yet', async () => {
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

  it('is not removed while it has NFTs of which nobody owns any, or tokens of which nothing is told', async () => {
    const nftAddress = newAddress()
    const indexed = { nftAddress, name: 'Prints', nftType: 'ERC721', chainId: '84532', index: true }
    const { id } = await contracts.add(project.client, indexed)
    await nfts.add(project.client, { nftAddress, nftId: '7', owner: newAddress(), name: 'Blue' })
    const token = await anOwnedToken(gateway, project.projectId)
    for (const contract of [id, (await get(token.nftAddress)).id]) {
      const removed = contracts.remove(project.client, { id: contract })
      await expect(removed).rejects.toMatchObject({ kind: 'Conflict' })
    }
  })

  it('is removed or gets an NFT when both are asked for at once, never both', async () => {
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
})

describe('lists of contracts', () => {
  const namesOf = async (query: object) =>
    (await contracts.list(project.client, query)).list.map(({ name }) => name)

  it('are by owner, type and keyword, newest first or by name', async () => {
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

describe('an extension', () => {
  it('is any JSON object and replaces the one before', async () => {
    const { nftAddress } = await add()
    const extension = { a: [1, 2.5, 'ü', null, { b: false }], c: {}, '': '"' }
    const kept = await contracts.updateExtension(project.client, { nftAddress: upper(nftAddress), extension })
    expect(kept).toEqual({ nftAddress, extension })
    expect(await contracts.extension(project.client, { nftAddress })).toEqual(kept)
    await contracts.updateExtension(project.client, { nftAddress, extension: { d: 1 } })
    expect(await contracts.extension(project.client, { nftAddress })).toMatchObject({ extension: { d: 1 } })
  })

  it('has up to 65,536 bytes of JSON', async () => {
    const { nftAddress } = await add()
    const update = (extension: { [name: string]: unknown }) =>
      contracts.updateExtension(project.client, { nftAddress, extension })
    const longest = { text: `${'é'.repeat(32_762)}x` }
    expect(Buffer.byteLength(JSON.stringify(longest))).toBe(65_536)
    expect(await update(longest)).toMatchObject({ extension: longest })
    await expect(update({ text: `${longest.text}x` })).rejects.toMatchObject({
      issues: [{ path: 'extension', message: 'Expected at most 65536 bytes of JSON' }],
    })
    expect(extensionProblem([])).toMatch('array')
  })
})

it('A chain is named by its id in decimal digits', () => {
  expect(['1', '84532', '999999999999999999'].filter((text) => !isChainId(text))).toEqual([])
  expect(['0', '01', '', '1.5', '-1', '0x1', '1e3', 'eip155:1', '1'.repeat(19)].filter(isChainId)).toEqual([])
})
