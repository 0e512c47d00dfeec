import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestGateway, testGateway } from '../testing/gateway.ts'
import { createKey, findLiveKey, listKeys, rotateKey } from './keys-store.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway()
})
afterAll(() => gateway.close())

const db = () => gateway.owner.system
const live = (apiKey: string) => findLiveKey(db(), gateway.sealer, apiKey)
const add = (project = 'keys') => createKey(db(), gateway.sealer, { project, name: 'test' })

it('a key belongs to the project of its name, also when many are created concurrently', async () => {
  const keys = await Promise.all(Array.from({ length: 10 }, () => add('together')))
  expect(new Set(keys.map(({ projectId }) => projectId)).size).toBe(1)
  expect(new Set(keys.map(({ apiKey }) => apiKey)).size).toBe(10)
})

it('a key keeps its secret sealed: the database does not hold it, nor does the list', async () => {
  const { apiKey, secret } = await add()
  const { rows } = await sql<{ sealed: string }>`select sealed from gateway.api_key_secrets`.execute(db())
  expect(rows.map(({ sealed }) => sealed).join()).not.toContain(secret)
  expect(JSON.stringify(await listKeys(db()))).not.toContain(secret)
  expect((await listKeys(db())).find((key) => key.api_key === apiKey)).toMatchObject({
    project: 'keys',
    scopes: ['*'],
    revoked_at: null,
  })
})

it('a key has two secrets at most, however often it is rotated', async () => {
  const { apiKey, secret } = await add()
  const second = await rotateKey(db(), gateway.sealer, apiKey, 1)
  expect((await live(apiKey))?.secrets.toSorted()).toEqual([secret, second].toSorted())
  const third = await rotateKey(db(), gateway.sealer, apiKey, 1)
  expect((await live(apiKey))?.secrets.toSorted()).toEqual([second, third].toSorted())
  const fourth = await rotateKey(db(), gateway.sealer, apiKey, 0)
  expect((await live(apiKey))?.secrets).toEqual([fourth])
})

it('a key loses the old secret when its hours are over', async () => {
  const { apiKey } = await add()
  const fresh = await rotateKey(db(), gateway.sealer, apiKey, 24)
  await sql`update gateway.api_key_secrets set retires_at = retires_at - interval '25 hours'`.execute(db())
  expect((await live(apiKey))?.secrets).toEqual([fresh])
})

it('SECRET_KEYS do not open a sealed secret that was copied to another row', async () => {
  const [one, other] = [await add(), await add()]
  await sql`update gateway.api_key_secrets set sealed = (
        select s.sealed from gateway.api_key_secrets s join gateway.api_keys k on k.id = s.key_id where k.api_key = ${one.apiKey})
      where key_id = (select id from gateway.api_keys where api_key = ${other.apiKey})`.execute(db())
  await expect(live(other.apiKey)).rejects.toThrow(/does not open/)
  await sql`delete from gateway.api_key_secrets where key_id = (select id from gateway.api_keys where api_key = ${other.apiKey})`.execute(
    db(),
  )
})
