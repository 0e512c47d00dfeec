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
import { forgetUnusedLists, type SegmentSizes, updateListSegments } from './list-segments.ts'

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

  /** Requests the list and counts it while a transaction is open, which changes the list afterwards. */
  async function changeWithOldSnapshot(change: (trx: Db) => Promise<unknown>): Promise<void> {
    await gateway.owner.system
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (trx) => {
        await sql`select from gateway.orders limit 1`.execute(trx)
        await requestList('', '')
        await updateShortSegments()
        await change(trx)
      })
    await updateShortSegments()
  }

  it('are right after an insert by a writer whose snapshot is older than the request', async () => {
    await changeWithOldSnapshot((trx) => addOrdersTo(0, 5, trx))
    expect(await countSegments()).toMatchObject({ rows: 5 })
    expect(await findWrongSegments()).toEqual([])
  })

  it('are right after an update by a writer whose snapshot is older than the request', async () => {
    await addOrdersTo(0, 5)
    await changeWithOldSnapshot((trx) =>
      sql`
        update gateway.orders set deleted = true
        where project_id = ${project.projectId} and serial_no::int in (1, 2)`.execute(trx),
    )
    expect(await countSegments()).toMatchObject({ rows: 3 })
    expect(await findWrongSegments()).toEqual([])
  })

  it('contain each change once when a list changes during a run', async () => {
    await requestList('', '')
    await addOrdersTo(0, SEGMENT_ROWS)
    await updateShortSegments()
    await addOrdersTo(SEGMENT_ROWS, 4 * SEGMENT_ROWS)
    // After the run has added changes, and before it counts the segment.
    await runBefore(
      'pg_current_xact_id()',
      () => addOrdersTo(4 * SEGMENT_ROWS, 5 * SEGMENT_ROWS),
      () => updateOnce({ partRows: SEGMENT_ROWS }),
    )
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

  it('are counted anew when those of an earlier request were left without the first one', async () => {
    await requestList('', '')
    await addOrdersTo(0, 4 * SEGMENT_ROWS)
    await updateShortSegments()
    const ofProject = sql`project_id = ${project.projectId}`
    const { system } = gateway.owner
    await sql`delete from gateway.list_segments where ${ofProject} and start = 0`.execute(system)
    // Not recorded, because the list has no first segment.
    await sql`delete from gateway.orders where ${ofProject} and serial_no::int % 2 = 0`.execute(system)
    await requestList('', '')
    await updateShortSegments()
    expect(await findWrongSegments()).toEqual([])
    expect(await countSegments()).toMatchObject({ rows: 2 * SEGMENT_ROWS, uncounted: 0 })
  })

  it('are all deleted by an operator while a run divides one of them', async () => {
    await requestList('', '')
    await addOrdersTo(0, SEGMENT_ROWS)
    await updateShortSegments()
    await addOrdersTo(SEGMENT_ROWS, 4 * SEGMENT_ROWS)
    const { system } = gateway.owner
    const other = openDatabase<Tables>({ url: gateway.url, max: 2 })
    let deletion: Promise<unknown> = Promise.resolve()
    try {
      await runBefore(
        'with ties',
        async () => {
          deletion = sql`select gateway.delete_list_segments(${project.projectId})`.execute(system)
          const isWaiting = sql`
            select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
              and query like '%delete_list_segments%'`
          await expect.poll(async () => (await isWaiting.execute(other.system)).rows.length).toBe(1)
        },
        // The run adds the changes and divides one segment.
        () => updateListSegments(other.pool, { segmentRows: SEGMENT_ROWS, runRows: 3 * SEGMENT_ROWS + 1 }),
      )
      await deletion
    } finally {
      await other.close()
    }
    expect(await countSegments()).toMatchObject({ count: 0 })
  })

  it('are counted of one project after the other, although the first one requests its list again and again', async () => {
    const first = project
    await addOrdersTo(0, 4 * SEGMENT_ROWS)
    project = await gateway.newKey({ project: `segmented ${projects} later` })
    await addOrdersTo(0, SEGMENT_ROWS)
    await requestList('', '')
    const countAgain = sql`
      insert into gateway.list_segment_resets (project_id, relation) values (${first.projectId}, 'orders')`
    await sql`select gateway.request_list_segments('orders', '', '')`.execute(
      gateway.database.forProject(first.projectId),
    )
    const turn = { after: 0 }
    const sizes = { segmentRows: SEGMENT_ROWS, runRows: 1 }
    const isCounted = async () => {
      await countAgain.execute(gateway.owner.system)
      await updateListSegments(gateway.owner.pool, sizes, turn)
      return (await countSegments())?.uncounted === 0
    }
    await expect.poll(isCounted, { timeout: 20_000 }).toBe(true)
    expect(await findWrongSegments()).toEqual([])
  })

  it('are not deleted in a transaction whose snapshot may be older than they are', async () => {
    const deletion = gateway.owner.system
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute((trx) => sql`select gateway.delete_list_segments(${project.projectId})`.execute(trx))
    await expect(deletion).rejects.toThrow('isolation level read committed')
  })

  it('are deleted when nobody has used their list for 30 days, and counted anew when it is requested again', async () => {
    await addOrdersTo(0, 2)
    await requestList('', '')
    await requestList('status', '2')
    await updateShortSegments()
    const setUse = (field: string, days: number) => sql`
      update gateway.list_segment_uses set used_on = (now() at time zone 'UTC')::date - ${days}::int
      where project_id = ${project.projectId} and field = ${field}`
    await setUse('', 31).execute(gateway.owner.system)
    await setUse('status', 30).execute(gateway.owner.system)
    await forgetUnusedLists(gateway.owner.pool)
    expect(await listCounted()).toMatchObject([{ field: 'status' }])
    // Not recorded.
    await addOrdersTo(2, 5)
    await requestList('', '')
    await updateShortSegments()
    expect(await countSegments()).toMatchObject({ rows: 5 })
    await forgetUnusedLists(gateway.owner.pool)
    expect(await countSegments()).toMatchObject({ rows: 5 })
  })

  /** Deletes the segments of lists of orders that no run can count. */
  const deleteUncounted = () =>
    sql`delete from gateway.list_segments where project_id = ${project.projectId} and row_count is null`.execute(
      gateway.owner.system,
    )
  const listCounted = async () => {
    const { rows } = await sql<{ field: string; value: string; start: string; row_count: number | null }>`
      select field, value, start, row_count from gateway.list_segments
      where project_id = ${project.projectId} order by field, value, start`.execute(gateway.owner.system)
    return rows
  }

  it('are left as they are by a run of a version that does not know their list', async () => {
    await requestList('serial_no', '1')
    await requestList('status', '2')
    try {
      await expect
        .poll(async () => {
          await updateOnce()
          return await listCounted()
        })
        .toEqual([
          { field: 'serial_no', value: '1', start: '0', row_count: null },
          { field: 'status', value: '2', start: '0', row_count: 0 },
        ])
    } finally {
      await deleteUncounted()
    }
  })

  it('are counted when another list cannot be counted, which the run reports', async () => {
    await addOrdersTo(0, 2)
    // No status, which is a number.
    await requestList('status', '')
    await requestList('status', '2')
    await requestList('status', 'none')
    try {
      let message = ''
      await expect
        .poll(async () => {
          await updateOnce().catch((error: Error) => {
            message = error.message
          })
          return await listCounted()
        })
        .toMatchObject([{ row_count: null }, { value: '2', row_count: 2 }, { row_count: null }])
      expect(message).toBe(
        `Could not count the list orders (status)  of project ${project.projectId}, and 1 more: invalid input syntax for type smallint: ""`,
      )
    } finally {
      await deleteUncounted()
    }
  })

  it('are requested without waiting for a run that replaces the first one', async () => {
    await requestList('', '')
    await updateShortSegments()
    await gateway.owner.system.transaction().execute(async (trx) => {
      const ofProject = sql`project_id = ${project.projectId}`
      await sql`
        create temporary table replaced on commit drop as select * from gateway.list_segments where ${ofProject}`.execute(
        trx,
      )
      await sql`delete from gateway.list_segments where ${ofProject}`.execute(trx)
      await sql`insert into gateway.list_segments select * from replaced`.execute(trx)
      await requestList('', '')
    })
    expect(await countSegments()).toMatchObject({ count: 1, uncounted: 0 })
  })

  it('are updated in steps, between which others use the connection', async () => {
    await requestLists()
    await addOrdersTo(0, 4 * SEGMENT_ROWS)
    const other = openDatabase<Tables>({ url: gateway.url, max: 1 })
    const ended: string[] = []
    let read: Promise<unknown> = Promise.resolve()
    try {
      await runBefore(
        'pg_current_xact_id()',
        async () => {
          read = sql`select 1`.execute(other.system).then(() => ended.push('read'))
        },
        () => updateListSegments(other.pool, { segmentRows: SEGMENT_ROWS }).then(() => ended.push('run')),
      )
      await read
    } finally {
      await other.close()
    }
    expect(ended).toEqual(['read', 'run'])
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

/** Runs work, and something else before its first statement that contains a text. */
async function runBefore(
  part: string,
  other: () => Promise<unknown>,
  work: () => Promise<unknown>,
): Promise<void> {
  const { query } = pg.Client.prototype
  let isRun = false
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...parameters: unknown[]
  ) {
    const send = () => Reflect.apply(query, this, parameters)
    const [text] = parameters
    if (isRun || typeof text !== 'string' || !text.includes(part)) return send()
    isRun = true
    return other().then(send)
  } as never)
  try {
    await work()
  } finally {
    spy.mockRestore()
  }
  expect(isRun).toBe(true)
}

/** Closes the connections that wait for a lock of a transaction's connection. Returns their number. */
async function terminateWaiting(trx: Db): Promise<number> {
  const { rows } = await sql`
    select pg_terminate_backend(pid) from pg_locks
    where not granted and relation = 'gateway.list_segment_changes'::regclass`.execute(trx)
  return rows.length
}
