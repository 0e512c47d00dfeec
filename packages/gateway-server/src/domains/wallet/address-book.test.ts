import { addressBook, fans, walletInfo } from '@mintmark/wallet'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestGateway, testGateway } from '../../testing/gateway.ts'
import { sampleProject } from '../../testing/samples/calls.ts'
import { newAddress, type SampleProject } from '../../testing/samples/sample.ts'

let gateway: TestGateway
let project: SampleProject
beforeAll(async () => {
  gateway = await testGateway()
  project = await sampleProject(gateway, 'address book')
})
afterAll(() => gateway.close())

const add = (owner: string, more: { address?: string; name?: string; remark?: string } = {}) =>
  addressBook.add(project.client, { owner, address: newAddress(), name: 'Ada', ...more })
const namesOf = async (owner: string, more: object = {}) =>
  (await addressBook.list(project.client, { owner, ...more })).list.map(({ name }) => name)

it('an address book contains an address once, in any case, for each owner', async () => {
  const [owner, other] = [newAddress(), newAddress()]
  const { address } = await add(owner)
  await expect(add(owner, { address: address.toUpperCase().replace('0X', '0x') })).rejects.toMatchObject({
    kind: 'Conflict',
    status: 409,
  })
  expect(await add(other, { address })).toMatchObject({ owner: other, address })
})

it('an address book accepts an address again after its removal', async () => {
  const owner = newAddress()
  const { id, address } = await add(owner)
  await addressBook.remove(project.client, { id })
  for (const gone of [
    () => addressBook.get(project.client, { id }),
    () => addressBook.remove(project.client, { id }),
    () => addressBook.update(project.client, { id, name: 'Bea' }),
  ]) {
    await expect(gone()).rejects.toMatchObject({ kind: 'NotFound' })
  }
  const again = await add(owner, { address })
  expect(again.id).not.toBe(id)
  expect(await namesOf(owner)).toEqual(['Ada'])
})

it('an address book refuses to change an entry’s address to that of another entry', async () => {
  const owner = newAddress()
  const [first, second] = [await add(owner), await add(owner, { name: 'Bea' })]
  const take = addressBook.update(project.client, { id: second.id, address: first.address })
  await expect(take).rejects.toMatchObject({ kind: 'Conflict' })
  expect(await addressBook.get(project.client, { id: second.id })).toEqual(second)
  const same = await addressBook.update(project.client, { id: first.id, address: first.address })
  expect(same).toMatchObject({ address: first.address, name: 'Ada' })
  expect(Date.parse(same.updateTime)).toBeGreaterThanOrEqual(Date.parse(first.updateTime))
})

it('an address book is ordered by age, name or address', async () => {
  const owner = newAddress()
  for (const name of ['Cleo', 'Ada', 'Bea']) await add(owner, { name })
  expect(await namesOf(owner)).toEqual(['Bea', 'Ada', 'Cleo'])
  expect(await namesOf(owner, { orderBy: 'name' })).toEqual(['Ada', 'Bea', 'Cleo'])
  expect(await namesOf(owner, { orderBy: 'address desc' })).toEqual(['Bea', 'Ada', 'Cleo'])
  const names: string[] = []
  const all = addressBook.list.items(project.client, { owner, orderBy: 'name', pageSize: 1 })
  for await (const { name } of all) names.push(name)
  expect(names).toEqual(['Ada', 'Bea', 'Cleo'])
})

it('an address book finds a part of a name, a remark or an address, literally', async () => {
  const owner = newAddress()
  const { address } = await add(owner, { name: '100% Ada' })
  await add(owner, { name: 'Bea', remark: 'Met at the Fair_2026' })
  await add(owner, { name: 'Cleo', remark: 'back\\slash' })
  expect(await namesOf(owner, { keyword: 'fAIR' })).toEqual(['Bea'])
  expect(await namesOf(owner, { keyword: address.slice(-8).toUpperCase() })).toEqual(['100% Ada'])
  expect(await namesOf(owner, { keyword: '%' })).toEqual(['100% Ada'])
  expect(await namesOf(owner, { keyword: '_' })).toEqual(['Bea'])
  expect(await namesOf(owner, { keyword: '\\' })).toEqual(['Cleo'])
  expect(await namesOf(owner, { keyword: '' })).toHaveLength(3)
})

it('importing followed wallets adds each missing wallet with its own name, in the order of following', async () => {
  const [owner, ada, bea, cleo] = [newAddress(), newAddress(), newAddress(), newAddress()]
  await walletInfo.add(project.client, { address: ada, name: 'Ada Collector' })
  for (const address of [cleo, ada, bea]) await fans.add(project.client, { fan: owner, address })
  await fans.add(project.client, { fan: bea, address: owner })
  await add(owner, { address: bea, name: 'My Bea' })

  const added = await addressBook.importFollowing(project.client, { owner })
  expect(added.map(({ address, name }) => [address, name])).toEqual([
    [cleo, ''],
    [ada, 'Ada Collector'],
  ])
  expect(await addressBook.importFollowing(project.client, { owner })).toEqual([])
  expect(await namesOf(owner, { orderBy: 'id' })).toEqual(['My Bea', '', 'Ada Collector'])
})

it('importing followed wallets adds each wallet once under concurrent calls', async () => {
  const owner = newAddress()
  const followed = Array.from({ length: 20 }, newAddress)
  for (const address of followed) await fans.add(project.client, { fan: owner, address })
  const responses = await Promise.all(
    Array.from({ length: 10 }, () => addressBook.importFollowing(project.client, { owner })),
  )
  expect(responses.flat().map(({ address }) => address)).toHaveLength(20)
  expect(new Set(responses.flat().map(({ address }) => address))).toEqual(new Set(followed))
})

it('importing followed wallets is a write, which a read-only key cannot call and a replay cannot repeat', async () => {
  const path = '/api/v1/wallet/addressBook/importFollowing'
  const reader = await gateway.newKey({ project: 'address book', scopes: ['wallet:read'] })
  expect((await reader.call({ path, query: `owner=${newAddress()}` })).status).toBe(403)
  const request = project.key.request({ path, query: `owner=${newAddress()}` })
  expect((await gateway.app.fetch(request.clone())).status).toBe(200)
  expect((await gateway.app.fetch(request)).status).toBe(401)
})
