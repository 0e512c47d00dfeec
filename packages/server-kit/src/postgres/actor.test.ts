import { createTestDatabase, type TestDatabase } from '@mintmark/devkit/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { runAs } from './actor.ts'
import { type Database, openDatabase } from './database.ts'
import { transaction } from './transaction.ts'

let home: TestDatabase
let database: Database<object>

beforeAll(async () => {
  home = await createTestDatabase()
  // One connection, so that every statement follows another actor's on it.
  database = openDatabase<object>({ url: home.url, max: 1 })
})

afterAll(async () => {
  await database.close()
  await home.drop()
})

const ACTOR = `select current_setting('mintmark.actor') as actor, current_setting('mintmark.project') as project`

async function readActor(project: number): Promise<unknown> {
  const { rows } = await sql.raw(ACTOR).execute(database.forProject(project))
  return rows[0]
}

it('binds a connection to the actor that borrows it, and to the server without one', async () => {
  expect(await runAs('key:mk_a', () => readActor(1))).toEqual({ actor: 'key:mk_a', project: '1' })
  expect(await runAs('key:mk_b', () => readActor(1))).toEqual({ actor: 'key:mk_b', project: '1' })
  expect(await runAs('key:mk_b', () => readActor(2))).toEqual({ actor: 'key:mk_b', project: '2' })
  expect(await readActor(2)).toEqual({ actor: 'server', project: '2' })
  const { rows } = await runAs('job:orders', () => database.pool.query(ACTOR))
  expect(rows).toEqual([{ actor: 'job:orders', project: '' }])
})

it('keeps the actors of callers apart that wait for the same connection', async () => {
  const actors = Array.from({ length: 20 }, (_, number) => `key:mk_${number}`)
  const read = async () =>
    await transaction(database.forProject(1), async (trx) => {
      await sql`select 1`.execute(trx)
      return (await sql.raw(ACTOR).execute(trx)).rows[0]
    })
  const found = await Promise.all(actors.map((actor) => runAs(actor, read)))
  expect(found).toEqual(actors.map((actor) => ({ actor, project: '1' })))
})

it('binds project and actor in one round trip, and none for the same caller', async () => {
  await runAs('key:mk_a', () => readActor(1))
  const client = await database.pool.connect()
  client.release()
  const query = vi.spyOn(Object.getPrototypeOf(client), 'query')
  await runAs('key:mk_a', () => readActor(3))
  await runAs('key:mk_a', () => readActor(3))
  const texts = query.mock.calls.map(([config]) => (config as { text?: string }).text ?? config)
  query.mockRestore()
  expect(texts.filter((text) => String(text).includes('set_config'))).toHaveLength(1)
})
