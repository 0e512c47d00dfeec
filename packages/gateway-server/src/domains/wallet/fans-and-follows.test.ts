import { fans, follows, walletInfo } from '@mintmark/wallet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestGateway, testGateway } from '../../testing/gateway.ts'
import { sampleProject } from '../../testing/samples/calls.ts'
import { newAddress, type SampleProject } from '../../testing/samples/sample.ts'

let gateway: TestGateway
let project: SampleProject
beforeAll(async () => {
  gateway = await testGateway()
  project = await sampleProject(gateway, 'fans')
})
afterAll(() => gateway.close())

const upper = (address: string) => address.toUpperCase().replace('0X', '0x')

it('a fan is added idempotently, also concurrently', async () => {
  const pair = { fan: newAddress(), address: newAddress() }
  const responses = await Promise.all(Array.from({ length: 10 }, () => fans.add(project.client, pair)))
  responses.push(await fans.add(project.client, { fan: upper(pair.fan), address: upper(pair.address) }))
  for (const response of responses) expect(response).toEqual(responses[0])
  expect((await fans.list(project.client, { address: pair.address })).totalRow).toBe(1)
})

it('a fan cannot follow itself, with its address in any case', async () => {
  const fan = newAddress()
  const add = fans.add(project.client, { fan, address: upper(fan) })
  await expect(add).rejects.toMatchObject({ kind: 'InvalidInput', issues: [{ path: 'address' }] })
  expect(await fans.isFan(project.client, { fan, address: fan })).toEqual({ isFan: false })
})

it('a fan follows in one direction until it is removed, idempotently', async () => {
  const [fan, address] = [newAddress(), newAddress()]
  await fans.add(project.client, { fan, address })
  expect(await fans.isFan(project.client, { fan: upper(fan), address })).toEqual({ isFan: true })
  expect(await fans.isFan(project.client, { fan: address, address: fan })).toEqual({ isFan: false })
  for (const _ of [1, 2]) expect(await fans.remove(project.client, { fan, address })).toEqual({})
  expect(await fans.isFan(project.client, { fan, address })).toEqual({ isFan: false })
})

it('a fan is listed with the present names of both wallets, the newest first', async () => {
  const [star, ada, bea] = [newAddress(), newAddress(), newAddress()]
  await fans.add(project.client, { fan: ada, address: star })
  await fans.add(project.client, { fan: bea, address: star })
  await walletInfo.add(project.client, { address: ada, name: 'Ada', profilePhoto: 'https://a.example/1' })
  await walletInfo.add(project.client, { address: star, name: 'Star' })
  const { list } = await fans.list(project.client, { address: upper(star) })
  expect(list).toMatchObject([
    { fan: bea, fanName: '', fanPhoto: '', address: star, name: 'Star', photo: '' },
    { fan: ada, fanName: 'Ada', fanPhoto: 'https://a.example/1', address: star, name: 'Star' },
  ])
  const focus = await fans.following(project.client, { address: ada })
  expect(focus.list).toEqual([list[1]])
  expect((await fans.following(project.client, { address: star })).list).toEqual([])
})

describe('a follow', () => {
  const target = () => ({ address: newAddress(), nftAddress: newAddress() })

  it('a follow is of a collection or of one NFT, independently', async () => {
    const collection = target()
    await follows.add(project.client, { ...collection, nftId: '7' })
    const isFollowing = async (nftId?: string) =>
      (await follows.isFollowing(project.client, { ...collection, ...(nftId && { nftId }) })).isFollowing
    expect([await isFollowing('7'), await isFollowing('8'), await isFollowing()]).toEqual([
      true,
      false,
      false,
    ])
    await follows.add(project.client, collection)
    expect(await isFollowing()).toBe(true)
    const { list } = await follows.list(project.client, { address: collection.address })
    expect(list.map(({ nftId }) => nftId)).toEqual(['', '7'])
  })

  it('a follow is ended by following: false and then excluded from lists', async () => {
    const one = target()
    const followed = await follows.add(project.client, one)
    const back = await follows.add(project.client, { ...one, following: false })
    expect(back).toMatchObject({ id: followed.id, following: false, createTime: followed.createTime })
    expect(await follows.add(project.client, { ...one, following: false })).toEqual(back)
    expect(await follows.isFollowing(project.client, one)).toEqual({ isFollowing: false })
    expect((await follows.list(project.client, { address: one.address })).list).toEqual([])
  })

  it('a follow that never existed can be ended too', async () => {
    const one = target()
    expect(await follows.add(project.client, { ...one, following: false })).toMatchObject({
      following: false,
    })
    expect(await follows.isFollowing(project.client, one)).toEqual({ isFollowing: false })
  })

  it('a follow begins again with a new time and is then first in the list', async () => {
    const [first, address] = [target(), newAddress()]
    const begun = await follows.add(project.client, { ...first, address })
    await follows.add(project.client, { ...target(), address })
    expect(await follows.add(project.client, { ...first, address })).toEqual(begun)
    await follows.add(project.client, { ...first, address, following: false })
    const again = await follows.add(project.client, { ...first, address })
    expect(again.createTimeLong).toBeGreaterThan(begun.createTimeLong)
    const { list } = await follows.list(project.client, { address })
    expect(list[0]).toEqual(again)
    expect(list).toHaveLength(2)
  })
})
