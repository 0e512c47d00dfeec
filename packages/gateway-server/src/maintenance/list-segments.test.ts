import { randomFrom } from '@mintmark/devkit/random'
import { openDatabase } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Db, Tables } from '../tables.ts'
import { type TestGateway, type TestKey, testGateway } from '../testing/gateway.ts'
import { addOrders } from '../testing/list-rows.ts'
import { updateListSegments } from './list-segments.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway()
})
afterAll(() => gateway.close())

let project: TestKey
let projects = 0
beforeEach(async () => {
  projects += 1
  project = await gateway.newKey({ project: `segmented ${projects}` })
})

const addOrdersTo = (from: number, to: number, db: Db = gateway.owner.system) =>
  addOrders(db, project.projectId, from, to)

/** Lists the segments of the orders of the project that do not have the number of rows between their keys. */
async function findWrongSegments(): Promise<unknown[]> {
  const { rows } = await sql`
    with segment as (
      select *, lead(start, 1, ${Number.MAX_SAFE_INTEGER}::bigint) over (partition by field, value order by start) as next
      from gateway.list_segments where project_id = ${project.projectId} and relation = 'orders'
    ), listed as materialized (
      select list.field, list.value, (extract(epoch from created_at) * 1000000)::bigint as key
      from gateway.orders o
      cross join lateral (values ('', ''), ('status', o.status::text), ('market_type', o.market_type::text)) as list (field, value)
      where project_id = ${project.projectId} and not deleted
    ), counted as (
      select s.field, s.value, s.start, s.row_count + coalesce(sum(c.change), 0) as counted,
        (select count(*) from listed l where l.field = s.field and l.value = s.value and l.key >= s.start and l.key < s.next) as actual
      from segment s left join gateway.list_segment_changes c on c.project_id = s.project_id and c.relation = 'orders'
        and c.field = s.field and c.value = s.value and c.key >= s.start and c.key < s.next
      group by s.field, s.value, s.start, s.next, s.row_count
    )
    select * from counted where counted <> actual`.execute(gateway.owner.system)
  return rows
}

describe('the segments of a list', () => {
  const SEGMENT_ROWS = 3
  const updateShortSegments = () => updateListSegments(gateway.owner.pool, { segmentRows: SEGMENT_ROWS })

  const countSegments = async () => {
    const { rows } = await sql<{ count: number; longest: number }>`
      select count(*)::int as count, max(row_count)::int as longest from gateway.list_segments
      where project_id = ${project.projectId} and field = ''`.execute(gateway.owner.system)
    return rows[0]
  }

  it.each([1, 2, 3, 4])(
    'have exactly the rows between their keys after random changes, seed %i',
    async (seed) => {
      const random = randomFrom(seed)
      const { system } = gateway.owner
      const ofProject = sql`project_id = ${project.projectId}`
      let orderCount = 0
      for (let step = 0; step < 30; step += 1) {
        const some = sql`${ofProject} and id % 7 = ${random.integer(7)}::bigint`
        const change = random.integer(7)
        if (change <= 1) {
          const count = 1 + random.integer(12)
          await addOrdersTo(orderCount, orderCount + count)
          orderCount += count
        } else if (change === 2) {
          await sql`update gateway.orders set status = ${random.integer(7)}::smallint where ${some}`.execute(
            system,
          )
        } else if (change === 3) {
          await sql`update gateway.orders set deleted = not deleted where ${some}`.execute(system)
        } else if (change === 4) {
          await sql`delete from gateway.orders where ${some}`.execute(system)
        } else {
          await updateShortSegments()
        }
        expect(await findWrongSegments(), `step ${step}`).toEqual([])
      }
      await updateShortSegments()
      expect(await findWrongSegments()).toEqual([])
    },
  )

  it('are divided when a list grows, and removed when its rows are', async () => {
    await addOrdersTo(0, 4 * SEGMENT_ROWS)
    await updateShortSegments()
    expect(await countSegments()).toEqual({ count: 4, longest: SEGMENT_ROWS })
    await addOrdersTo(4 * SEGMENT_ROWS, 8 * SEGMENT_ROWS)
    await updateShortSegments()
    expect(await countSegments()).toEqual({ count: 8, longest: SEGMENT_ROWS })
    await sql`delete from gateway.orders where project_id = ${project.projectId}`.execute(
      gateway.owner.system,
    )
    await updateShortSegments()
    expect(await countSegments()).toEqual({ count: 1, longest: 0 })
  })

  it('keep rows with equal keys together', async () => {
    await addOrdersTo(0, 4 * SEGMENT_ROWS)
    const equal = sql`project_id = ${project.projectId} and serial_no::int > ${SEGMENT_ROWS}::int`
    await sql`update gateway.orders set created_at = '2026-01-01' where ${equal}`.execute(
      gateway.owner.system,
    )
    await updateShortSegments()
    expect(await countSegments()).toEqual({ count: 2, longest: 3 * SEGMENT_ROWS })
    expect(await findWrongSegments()).toEqual([])
  })

  it('count the rows of a transaction that was open during a run, and those of none that was rolled back', async () => {
    await addOrdersTo(0, 2)
    const { system } = gateway.owner
    await system.transaction().execute(async (trx) => {
      await addOrdersTo(2, 5, trx)
      // The run does not wait for the transaction.
      await updateShortSegments()
    })
    expect(await findWrongSegments()).toEqual([])
    await updateShortSegments()
    expect(await findWrongSegments()).toEqual([])
    await expect(
      system.transaction().execute(async (trx) => {
        await addOrdersTo(5, 9, trx)
        throw new Error('rolled back')
      }),
    ).rejects.toThrow('rolled back')
    await updateShortSegments()
    expect(await countSegments()).toEqual({ count: 1, longest: 5 })
  })

  it('are counted for a list that had none, once a change of nothing is recorded', async () => {
    await addOrdersTo(0, 4 * SEGMENT_ROWS)
    await updateShortSegments()
    const { system } = gateway.owner
    await sql`delete from gateway.list_segments where project_id = ${project.projectId}`.execute(system)
    await sql`insert into gateway.list_segment_changes (project_id, relation, field, value, key, change)
      values (${project.projectId}, 'orders', '', '', 0, 0)`.execute(system)
    await updateShortSegments()
    expect(await countSegments()).toEqual({ count: 4, longest: SEGMENT_ROWS })
    expect(await findWrongSegments()).toEqual([])
  })

  it('are updated after a run whose connection was closed, which reports why', async () => {
    await addOrdersTo(0, 4 * SEGMENT_ROWS)
    const { system } = gateway.owner
    const other = openDatabase<Tables>({ url: gateway.url, max: 1 })
    try {
      await system.transaction().execute(async (trx) => {
        await sql`lock table gateway.list_segment_changes in access exclusive mode`.execute(trx)
        const run = updateListSegments(other.pool, { segmentRows: SEGMENT_ROWS })
        const failure = expect(run).rejects.toThrow('terminating connection due to administrator command')
        await expect.poll(() => terminateWaiting(trx)).toBe(1)
        await failure
      })
      // The closed connection may still hold its lock.
      await expect
        .poll(async () => {
          await updateListSegments(other.pool, { segmentRows: SEGMENT_ROWS })
          return await countSegments()
        })
        .toEqual({ count: 4, longest: SEGMENT_ROWS })
    } finally {
      await other.close()
    }
  })
})

/** Closes the connections that wait for a lock of a transaction's connection. Returns their number. */
async function terminateWaiting(trx: Db): Promise<number> {
  const { rows } = await sql`
    select pg_terminate_backend(pid) from pg_locks
    where not granted and relation = 'gateway.list_segment_changes'::regclass`.execute(trx)
  return rows.length
}
