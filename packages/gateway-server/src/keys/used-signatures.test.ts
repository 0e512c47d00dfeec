import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Db } from '../database/tables.ts'
import { type TestGateway, testGateway } from '../testing/gateway.ts'
import { maintainSignaturePartitions, rememberSignature } from './used-signatures.ts'

const HOUR = 3_600_000
const noon = Date.UTC(2031, 5, 1, 12, 10)

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway()
})
afterAll(() => gateway.close())

const remember = (signature: string, at: number, key = 1) =>
  rememberSignature(gateway.database.system, { project: 1, id: key }, signature, at)
const maintain = (at: number) => maintainSignaturePartitions(gateway.owner.pool, at)

/** Lists the times of the signatures in a partition. */
async function timesOf(table: string): Promise<number[]> {
  const { rows } = await sql<{ time: Date }>`
    select signed_at as time from ${sql.table(`gateway.${table}`)} order by 1`.execute(gateway.owner.system)
  return rows.map(({ time }) => time.getTime())
}

async function partitions(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'gateway.used_signatures'::regclass order by 1`.execute(gateway.owner.system)
  return rows.map(({ name }) => name.replace('used_signatures_', ''))
}

it('the signatures of writes are new once, for each key and timestamp', async () => {
  expect(await remember('a', noon)).toBe(true)
  expect(await remember('a', noon)).toBe(false)
  expect(await remember('a', noon, 2)).toBe(true)
  expect(await remember('a', noon + 1)).toBe(true)
  expect(await remember('b', noon)).toBe(true)
})

it('the signatures of writes are stored once when many calls store the same concurrently', async () => {
  const results = await Promise.all(Array.from({ length: 30 }, () => remember('crowd', noon)))
  expect(results.filter(Boolean)).toHaveLength(1)
})

it('the signatures of writes are stored in hourly partitions, created ahead and dropped when no valid timestamp can reach them', async () => {
  await maintain(noon)
  expect(await partitions()).toEqual([
    '2031060111',
    '2031060112',
    '2031060113',
    '2031060114',
    '2031060115',
    'default',
  ])
  await maintain(noon + 2 * HOUR)
  expect(await partitions()).toEqual([
    '2031060113',
    '2031060114',
    '2031060115',
    '2031060116',
    '2031060117',
    'default',
  ])
})

it('the signatures of writes that were stored without a partition move into theirs and still count as used', async () => {
  const later = noon + 48 * HOUR
  expect(await remember('slept', later)).toBe(true)
  expect(await timesOf('used_signatures_default')).toContain(later)
  await maintain(later)
  expect(await timesOf('used_signatures_2031060312')).toEqual([later])
  expect(await timesOf('used_signatures_default')).toEqual([])
  expect(await remember('slept', later)).toBe(false)
})

it('the signatures of writes can be maintained by several processes concurrently with writes', async () => {
  const later = noon + 96 * HOUR
  const work = Array.from({ length: 40 }, (_, at) => remember(`busy-${at}`, later + at * 60_000))
  await Promise.all([maintain(later), maintain(later), maintain(later), ...work])
  const again = await Promise.all(work.map((_, at) => remember(`busy-${at}`, later + at * 60_000)))
  expect(again).toEqual(work.map(() => false))
})

it('the signatures of writes are out of reach of the servers’ role but for noting them', async () => {
  await expect(sql`drop table gateway.used_signatures`.execute(gateway.database.system)).rejects.toThrow(
    /owner/,
  )
})

async function readSynchronousCommit(db: Db): Promise<unknown> {
  return (await sql<object>`show synchronous_commit`.execute(db)).rows
}

it('the commit of a signature does not wait for the disk, but later commits of its connection do', async () => {
  const key = { project: 1, id: 1 }
  await gateway.database.system.connection().execute(async (db) => {
    await sql`set synchronous_commit = on`.execute(db)
    await db.transaction().execute(async (trx) => {
      expect(await rememberSignature(trx, key, 'unflushed', noon)).toBe(true)
      expect(await readSynchronousCommit(trx)).toEqual([{ synchronous_commit: 'off' }])
    })
    await rememberSignature(db, key, 'another', noon)
    expect(await readSynchronousCommit(db)).toEqual([{ synchronous_commit: 'on' }])
    await sql`reset synchronous_commit`.execute(db)
  })
})
