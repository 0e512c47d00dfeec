import { webhooks as operations } from '@mintmark/facilitator'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deleteOldDeliveries } from './retention.ts'
import { until } from './testing.ts'
import { type SendingBed, sendingBed } from './testing-hook.ts'

const DAYS = 30
let hooks: SendingBed
beforeAll(async () => {
  hooks = await sendingBed()
})
afterAll(async () => {
  await hooks.closeReceivers()
  await hooks.fixture.close()
})

/** Delivers events, and then moves the deliveries into the past. Returns their webhook. */
async function deliver(count: number, days: number) {
  const hook = await hooks.hook(await hooks.open())
  const events = Array.from({ length: count }, () => 'settlement.settled' as const)
  await hooks.fixture.record(hooks.webhooks, hook.account, ...events)
  await until(async () => {
    const deliveries = await hook.deliveries()
    return deliveries.length === count && deliveries.every(({ status }) => status === 'DELIVERED')
  })
  await sql`
    update facilitator.deliveries set created_at = created_at - make_interval(days => ${days}),
      last_attempt_at = last_attempt_at - make_interval(days => ${days})
    where webhook_id = ${hook.id}`.execute(hooks.fixture.database.system)
  return hook
}

const deleteOld = (batch?: number) => deleteOldDeliveries(hooks.fixture.database.system, DAYS, batch)

async function countEvents(): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`select count(*)::int as count from facilitator.events`.execute(hooks.fixture.database.system)
  return rows[0]?.count ?? 0
}

describe('the retention of deliveries', () => {
  it('deletes all that ended long ago, in any number of batches, and keeps their events', async () => {
    const old = await deliver(5, DAYS)
    const recent = await deliver(2, DAYS - 1)
    const events = await countEvents()
    expect(await deleteOld(2)).toBe(5)
    expect(await old.deliveries()).toEqual([])
    expect(await recent.deliveries()).toHaveLength(2)
    expect(await countEvents()).toBe(events)
    expect(await deleteOld()).toBe(0)
  })

  it('deletes a delivery that was abandoned without an attempt', async () => {
    const hook = await deliver(1, DAYS)
    await sql`
      update facilitator.deliveries set status = 'FAILED', attempts = 0, last_attempt_at = null
      where webhook_id = ${hook.id}`.execute(hooks.fixture.database.system)
    expect(await deleteOld()).toBe(1)
    expect(await hook.deliveries()).toEqual([])
  })

  it('keeps a delivery that has not ended, and one that was sent again', async () => {
    const hook = await deliver(2, DAYS)
    const [waiting, repeated] = await hook.deliveries()
    const db = hooks.fixture.database.system
    await sql`
      update facilitator.deliveries set status = 'PENDING', next_attempt_at = now() + interval '1 day', turn = turn + 1
      where id = ${waiting?.id}`.execute(db)
    await operations.redeliver(hook.client, { id: hook.id, deliveryId: repeated?.id ?? 0 })
    await until(async () => {
      const again = (await hook.deliveries()).find(({ id }) => id === repeated?.id)
      return again?.status === 'DELIVERED' && again.attempts === 2
    })
    expect(await deleteOld()).toBe(0)
    expect(await hook.deliveries()).toHaveLength(2)
  })

  it('finds them by an index of their times', async () => {
    await hooks.fixture.database.system.connection().execute(async (db) => {
      await sql`set enable_seqscan = off`.execute(db)
      const { rows } = await sql<{ 'QUERY PLAN': string }>`
        explain select id from facilitator.deliveries where created_at <= now() - make_interval(days => ${sql.lit(DAYS)})`.execute(
        db,
      )
      await sql`reset enable_seqscan`.execute(db)
      expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('Index Cond: (created_at <=')
    })
  })
})
