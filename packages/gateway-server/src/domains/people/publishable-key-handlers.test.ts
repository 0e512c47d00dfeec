import { audit, publishableKeys, Role, SCOPE_NOT_HELD, TOO_MANY_KEYS } from '@mintmark/admin'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPublishableKey } from '../../keys/publishable-keys-store.ts'
import { addPerson } from '../../testing/console-person.ts'
import { recordAudit } from '../../testing/event-streams.ts'
import { type TestGateway, testGateway } from '../../testing/gateway.ts'
import { callFromPage, SHOP } from '../../testing/publishable-caller.ts'
import { clientOf } from '../../testing/samples/calls.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway()
})
afterAll(() => gateway.close())

let shops = 0
/** Creates a project with an owner who is signed in. */
async function createShop() {
  shops += 1
  const { projectId: project } = await gateway.newKey({ project: `shop ${shops}` })
  const email = `owner-${shops}@example.com`
  const browser = await addPerson(gateway, { email, role: Role.OWNER, project })
  return { project, owner: browser.client(project) }
}

const read = { path: '/api/v1/market/common/list' }

it('a publishable key that an owner creates reads what is public of the shop from its origins, until it is revoked', async () => {
  const { owner } = await createShop()
  const created = await publishableKeys.create(owner, { name: 'website', origins: [SHOP, SHOP] })
  expect(created).toMatchObject({ scopes: ['contracts:read', 'market:read'], origins: [SHOP] })
  const { publishableKey } = created
  expect((await callFromPage(gateway, publishableKey, read)).status).toBe(200)
  const origin = 'https://other.example'
  expect((await callFromPage(gateway, publishableKey, { ...read, origin })).status).toBe(403)

  expect(await publishableKeys.revoke(owner, { publishableKey })).toEqual({})
  await expect(publishableKeys.revoke(owner, { publishableKey })).rejects.toMatchObject({ status: 404 })
  gateway.clock.ahead += 1001
  expect((await callFromPage(gateway, publishableKey, read)).status).toBe(401)
  expect(await publishableKeys.list(owner)).toMatchObject([
    { publishableKey, revokeTime: expect.any(String) },
  ])
})

it('a publishable key that an owner creates is in the audit log with the person who created it', async () => {
  const { owner } = await createShop()
  await publishableKeys.create(owner, { name: 'logged', origins: [SHOP] })
  await recordAudit(gateway)
  const { list } = await audit.list(owner, { recordType: 'publishable_keys' })
  expect(list).toMatchObject([{ action: 'CREATED', actor: expect.stringMatching(/^person:/) }])
})

it('a publishable key that an owner creates has no scope that its creator lacks', async () => {
  const { project } = await createShop()
  const key = await gateway.newKey({ project: `shop ${shops}`, scopes: ['keys:write', 'market:read'] })
  expect(key.projectId).toBe(project)
  const create = (scopes?: string[]) =>
    publishableKeys.create(clientOf(gateway, key), { name: 'x', origins: [SHOP], scopes })
  await expect(create()).rejects.toMatchObject({ reason: SCOPE_NOT_HELD.reason })
  await expect(create(['contracts:read'])).rejects.toMatchObject({ reason: SCOPE_NOT_HELD.reason })
  expect((await create(['market:read'])).scopes).toEqual(['market:read'])
})

it('a publishable key that an owner creates is refused above the limit of the project, also when two are created concurrently', async () => {
  const { owner } = await createShop()
  const key = { project: `shop ${shops}`, name: 'one of many', scopes: ['market:read'], origins: [SHOP] }
  for (let count = 0; count < 99; count += 1) await createPublishableKey(gateway.owner.system, key)
  const create = () =>
    publishableKeys.create(owner, { name: 'last', origins: [SHOP] }).then(
      () => 'created',
      ({ reason }) => reason,
    )
  const results = await Promise.all([create(), create()])
  expect(results.toSorted()).toEqual([TOO_MANY_KEYS.reason, 'created'])
  const [newest] = await publishableKeys.list(owner)
  await publishableKeys.revoke(owner, { publishableKey: newest?.publishableKey ?? '' })
  expect(await create()).toBe('created')
})

it.each([Role.MANAGER, Role.STAFF])('publishable keys are neither listed nor created by %s', async (role) => {
  const { project } = await createShop()
  const browser = await addPerson(gateway, { email: `${role}@example.com`, role, project })
  const client = browser.client(project)
  await expect(publishableKeys.list(client)).rejects.toMatchObject({ status: 403 })
  await expect(publishableKeys.create(client, { name: 'x', origins: [SHOP] })).rejects.toMatchObject({
    status: 403,
  })
})
