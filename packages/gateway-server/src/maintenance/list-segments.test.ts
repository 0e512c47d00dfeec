import { randomFrom } from '@mintmark/devkit/random'
import { openDatabase } from '@mintmark/server-kit'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Db, Tables } from '../tables.ts'
import { type TestGateway, type TestKey, testGateway } from '../testing/gateway.ts'
import { addOrders, LISTED_OWNER } from '../testing/list-rows.ts'
import { captureStatements } from '../testing/list-statements.ts'
import { updateSegments } from '../testing/update-segments.ts'
import { type SegmentSizes, updateListSegments } from './list-segments.ts'

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

/** Lists of orders, by their columns and values. */
const LISTS = [
  ['', ''],
  ['status', '2'],
  ['status', '3'],
  ['market_type', '1'],
  ['status,market_type', '["2", "1"]'],
  ['recipient', LISTED_OWNER],
] as const

/** Requests the segments of a list of orders of the project. */
async function requestList(field: string, value: string): Promise<void> {
  await sql`select gateway.request_list_segments('orders', ${field}, ${value})`.execute(
    gateway.database.forProject(project.projectId),
  )
}

async function requestLists(): Promise<void> {
  for (const [field, value] of LISTS) await requestList(field, value)
}

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
      cross join lateral (values ('', ''), ('status', o.status::text), ('market_type', o.market_type::text), ('recipient', o.recipient),
        ('status,market_type', json_build_array(o.status::text, o.market_type::text)::text)) as list (field, value)
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
  const updateShortSegments = () => updateSegments(gateway, { segmentRows: SEGMENT_ROWS })
  /** Runs the job once. */
  const updateOnce = (sizes: SegmentSizes = {}) =>
    updateListSegments(gateway.owner.pool, { segmentRows: SEGMENT_ROWS, ...sizes })

  const countSegments = async () => {
    const { rows } = await sql<{ count: number; longest: number | null; uncounted: number; rows: number }>`
      select count(*)::int as count, max(row_count)::int as longest, (count(*) filter (where row_count is null))::int as uncounted,
        coalesce(sum(row_count), 0)::int as rows
      from gateway.list_segments
      where project_id = ${project.projectId} and field = ''`.execute(gateway.owner.system)
    return rows[0]
  }

  it.each([1, 2, 3, 4])(
    'have exactly the rows between their keys after random changes, seed %i',
    async (seed) => {
      const random = randomFrom(seed)
      const { system } = gateway.owner
      const ofProject = sql`project_id = ${project.projectId}`
      await requestLists()
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
          // Some runs end before everything is counted.
          await updateOnce({ partRows: 1 + random.integer(20), runRows: 1 + random.integer(60) })
        }
        expect(await findWrongSegments(), `step ${step}`).toEqual([])
      }
      await updateShortSegments()
      expect(await findWrongSegments()).toEqual([])
      expect(await countSegments()).toMatchObject({ uncounted: 0 })
    },
  )

  it('are divided when a list grows, and removed when its rows are', async () => {
    await requestLists()
    await addOrdersTo(0, 4 * SEGMENT_ROWS)
    await updateShortSegments()
    expect(await countSegments()).toMatchObject({ count: 4, longest: SEGMENT_ROWS })
    await addOrdersTo(4 * SEGMENT_ROWS, 8 * SEGMENT_ROWS)
    await updateShortSegments()
    expect(await countSegments()).toMatchObject({ count: 8, longest: SEGMENT_ROWS })
    await sql`delete from gateway.orders where project_id = ${project.projectId}`.execute(
      gateway.owner.system,
    )
    await updateShortSegments()
    expect(await countSegments()).toMatchObject({ count: 1, longest: 0 })
  })

  it('keep rows with equal keys together, and do not count them again until they have doubled', async () => {
    await requestList('', '')
    await addOrdersTo(0, 4 * SEGMENT_ROWS)
    const setEqual = (from: number) =>
      sql`update gateway.orders set created_at = '2026-01-01' where project_id = ${project.projectId} and serial_no::int > ${from}::int`.execute(
        gateway.owner.system,
      )
    await setEqual(SEGMENT_ROWS)
    await updateSegments(gateway, { segmentRows: SEGMENT_ROWS, partRows: SEGMENT_ROWS })
    expect(await countSegments()).toMatchObject({ count: 2, longest: 3 * SEGMENT_ROWS })
    const isCount = ({ text }: { readonly text: string }) => text.includes('with ties')
    const countAgain = async () =>
      (await captureStatements(() => updateShortSegments())).filter(isCount).length

    await addOrdersTo(4 * SEGMENT_ROWS, 5 * SEGMENT_ROWS)
    await setEqual(4 * SEGMENT_ROWS)
    expect(await countAgain()).toBe(0)
    await addOrdersTo(5 * SEGMENT_ROWS, 9 * SEGMENT_ROWS)
    await setEqual(5 * SEGMENT_ROWS)
    expect(await countAgain()).toBe(1)
    expect(await countSegments()).toMatchObject({ count: 2, longest: 8 * SEGMENT_ROWS })
    expect(await findWrongSegments()).toEqual([])
  })

  it('are counted in parts, which later runs continue, while the list changes', async () => {
    await addOrdersTo(0, 10 * SEGMENT_ROWS)
    await requestList('', '')
    await expect
      .poll(async () => {
        await updateOnce({ partRows: 2 * SEGMENT_ROWS, runRows: 1 })
        return await countSegments()
      })
      .toMatchObject({ count: 3, uncounted: 1 })
    const { system } = gateway.owner
    const ofProject = sql`project_id = ${project.projectId}`
    await sql`delete from gateway.orders where ${ofProject} and serial_no::int % 5 = 0`.execute(system)
    await addOrdersTo(10 * SEGMENT_ROWS, 12 * SEGMENT_ROWS)
    await expect
      .poll(async () => {
        await updateOnce({ partRows: 2 * SEGMENT_ROWS, runRows: 1 })
        expect(await findWrongSegments()).toEqual([])
        return await countSegments()
      })
      .toMatchObject({ uncounted: 0 })
    await updateShortSegments()
    expect(await countSegments()).toMatchObject({ rows: 12 * SEGMENT_ROWS - 2 * SEGMENT_ROWS })
  })

  it('are not counted before the writers have ended that did not see the request', async () => {
    const { system } = gateway.owner
    await addOrdersTo(0, 2)
    await system.transaction().execute(async (trx) => {
      await addOrdersTo(2, 5, trx)
      await requestList('', '')
      await updateOnce()
      expect(await countSegments()).toMatchObject({ uncounted: 1 })
    })
    await updateShortSegments()
    expect(await countSegments()).toMatchObject({ rows: 5, uncounted: 0 })
  })

  it('are right after a writer whose snapshot is older than the request', async () => {
    const { system } = gateway.owner
    await system
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (trx) => {
        await sql`select from gateway.orders limit 1`.execute(trx)
        await requestList('', '')
        await updateShortSegments()
        await addOrdersTo(0, 5, trx)
      })
    await updateShortSegments()
    expect(await countSegments()).toMatchObject({ rows: 5 })
    expect(await findWrongSegments()).toEqual([])
  })

  it('have the changes once that are recorded while a run divides them', async () => {
    await requestList('', '')
    await addOrdersTo(0, SEGMENT_ROWS)
    await updateShortSegments()
    await addOrdersTo(SEGMENT_ROWS, 4 * SEGMENT_ROWS)
    // After the run has added changes, and before it counts the segment.
    const { query } = pg.Client.prototype
    let isAdded = false
    const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
      this: pg.Client,
      ...parameters: unknown[]
    ) {
      const send = () => Reflect.apply(query, this, parameters)
      const [text] = parameters
      if (isAdded || typeof text !== 'string' || !text.includes('pg_current_xact_id()')) return send()
      isAdded = true
      return addOrdersTo(4 * SEGMENT_ROWS, 5 * SEGMENT_ROWS).then(send)
    } as never)
    try {
      await updateOnce({ partRows: SEGMENT_ROWS })
    } finally {
      spy.mockRestore()
    }
    expect(isAdded).toBe(true)
    expect(await findWrongSegments()).toEqual([])
    await updateShortSegments()
    expect(await findWrongSegments()).toEqual([])
    expect(await countSegments()).toMatchObject({ rows: 5 * SEGMENT_ROWS })
  })

  it('are counted in a database that was restored while they were requested', async () => {
    await addOrdersTo(0, 5)
    await requestList('', '')
    await sql`update gateway.list_segments set recorded_from = '9000000000000000000' where project_id = ${project.projectId}`.execute(
      gateway.owner.system,
    )
    await updateShortSegments()
    expect(await countSegments()).toMatchObject({ rows: 5, uncounted: 0 })
  })

  it('do not exist for a list that was not requested, whose changes are not recorded', async () => {
    await addOrdersTo(0, 5)
    const { rows } = await sql`
      select from gateway.list_segment_changes where project_id = ${project.projectId}`.execute(
      gateway.owner.system,
    )
    expect(rows).toEqual([])
    await updateShortSegments()
    expect(await countSegments()).toMatchObject({ count: 0 })
  })

  it('count the rows of a transaction that was open during a run, and those of none that was rolled back', async () => {
    await requestLists()
    await addOrdersTo(0, 2)
    await updateShortSegments()
    const { system } = gateway.owner
    await system.transaction().execute(async (trx) => {
      await addOrdersTo(2, 5, trx)
      // The run does not wait for the transaction.
      await updateOnce()
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
    expect(await countSegments()).toMatchObject({ rows: 5 })
  })

  it('are counted anew after they were deleted and requested again', async () => {
    await requestList('', '')
    await addOrdersTo(0, 4 * SEGMENT_ROWS)
    await updateShortSegments()
    await addOrdersTo(4 * SEGMENT_ROWS, 5 * SEGMENT_ROWS)
    const ofProject = sql`project_id = ${project.projectId}`
    await sql`delete from gateway.list_segments where ${ofProject}`.execute(gateway.owner.system)
    await requestList('', '')
    await updateShortSegments()
    expect(await countSegments()).toMatchObject({ count: 5, longest: SEGMENT_ROWS })
    expect(await findWrongSegments()).toEqual([])
  })

  it('are updated after a run whose connection was closed, which reports why', async () => {
    await requestList('', '')
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
        .toMatchObject({ count: 4, longest: SEGMENT_ROWS })
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
