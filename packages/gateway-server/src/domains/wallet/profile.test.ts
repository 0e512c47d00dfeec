import { walletInfo } from '@mintmark/wallet'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestGateway, testGateway } from '../../testing/gateway.ts'
import { sampleProject } from '../../testing/samples/calls.ts'
import { newAddress, type SampleProject } from '../../testing/samples/sample.ts'

let gateway: TestGateway
let project: SampleProject
beforeAll(async () => {
  gateway = await testGateway()
  project = await sampleProject(gateway, 'wallet info')
})
afterAll(() => gateway.close())

const UPPER = '0xABCDEF0000000000000000000000000000000001'

it('finds a profile by its address in any case and returns the address in lower case', async () => {
  const added = await walletInfo.add(project.client, { address: UPPER, name: 'Ada' })
  expect(added).toEqual({
    address: UPPER.toLowerCase(),
    background: '',
    description: '',
    email: '',
    name: 'Ada',
    profilePhoto: '',
    showcaseBackground: '',
  })
  expect(await walletInfo.get(project.client, { address: UPPER })).toEqual(added)
  const edited = await walletInfo.edit(project.client, { address: UPPER, email: 'ada@example.com' })
  expect(edited).toEqual({ ...added, email: 'ada@example.com' })
})

it('adds a profile once, by one of several concurrent calls', async () => {
  const address = newAddress()
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, at) => walletInfo.add(project.client, { address, name: `Ada ${at}` })),
  )
  const added = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  expect(added).toHaveLength(1)
  expect(refused.map(({ kind }) => kind)).toEqual(Array(19).fill('Conflict'))
  expect([await walletInfo.get(project.client, { address })]).toEqual(added)
})

it('keeps the fields that an edit omits and clears those that it sets to an empty text', async () => {
  const address = newAddress()
  await walletInfo.add(project.client, { address, name: 'Ada', description: 'Collects.', email: 'a@b.c' })
  expect(await walletInfo.edit(project.client, { address, description: '' })).toMatchObject({
    name: 'Ada',
    description: '',
    email: 'a@b.c',
  })
  expect(await walletInfo.edit(project.client, { address })).toMatchObject({ name: 'Ada', email: 'a@b.c' })
})

it('refuses to edit a profile that does not exist', async () => {
  const address = newAddress()
  const edit = walletInfo.edit(project.client, { address, name: 'Ada' })
  await expect(edit).rejects.toMatchObject({ kind: 'NotFound', status: 404 })
  await expect(walletInfo.get(project.client, { address })).rejects.toMatchObject({ kind: 'NotFound' })
})

it('limits a name by characters, not by bytes', async () => {
  const name = '🖼'.repeat(200)
  expect(await walletInfo.add(project.client, { address: newAddress(), name })).toMatchObject({ name })
  const longer = walletInfo.add(project.client, { address: newAddress(), name: `${name}🖼` })
  await expect(longer).rejects.toMatchObject({ kind: 'InvalidInput', issues: [{ path: 'name' }] })
})
