import { promoCodeCards } from '@mintmark/cards'
import { randomFrom } from '@mintmark/devkit/random'
import type { OperationShape } from '@mintmark/operation'
import { orders } from '@mintmark/orders'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { updateListSegments } from './maintenance/list-segments.ts'
import type { Db } from './tables.ts'
import { keepWithoutStatistics } from './testing/copy-rows.ts'
import { type TestGateway, type TestKey, testGateway } from './testing/gateway.ts'
import {
  captureStatements,
  countRowsTouched,
  getPlan,
  isCount,
  isPage,
  type Statement,
} from './testing/list-statements.ts'
import { type Input, rawCallOf } from './testing/samples/calls.ts'

/** More rows than are counted one by one. */
const ROWS = 12_000
/** How many rows are counted one by one before the segments are read: 10,001, each in three nodes of a plan. */
const FIRST_COUNT_ROWS = 31_000
/** How many rows a page or a later count may touch. A segment has at most 2,000 rows, and each is in two nodes of a plan. */
const MAX_TOUCHED_ROWS = 5000
const PAGE_SIZE = 20

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway()
  await keepWithoutStatistics(gateway)
})
afterAll(() => gateway.close())

let project: TestKey
let projects = 0
async function startProject(): Promise<void> {
  projects += 1
  project = await gateway.newKey({ project: `segmented ${projects}` })
}

const updateSegments = () => updateListSegments(gateway.owner.pool)

async function addOrders(from: number, to: number, db: Db = gateway.owner.system): Promise<void> {
  await sql`
    insert into gateway.orders (project_id, order_no, serial_no, status, market_type, chain_id, nft_address, sender, recipient,
      order_amount, pay_amount, expires_at)
    select ${project.projectId}, md5(n::text), n::text, case when n % 10 = 0 then 3 else 2 end, 1, '1', '0xa', '0xb', '0xc', 1, 1, now()
    from generate_series(${from + 1}::int, ${to}::int) n`.execute(db)
}

async function addCards(count: number): Promise<void> {
  await sql`
    insert into gateway.cards (project_id, program, name, nft_address, start_time, end_time, validity_period, total_issued, qr_code)
    select ${project.projectId}, 'promo_code', 'Card', '0xa', '2026-01-01', '2099-01-01', '2099-01-01', 1, gen_random_uuid()
    from generate_series(1, ${count}::int)`.execute(gateway.owner.system)
}

interface ListPage {
  readonly list: readonly { readonly id?: number; readonly orderNo?: string }[]
  readonly totalRow: number
}

async function call(operation: OperationShape, input: Input): Promise<ListPage> {
  const { status, json } = await project.call(rawCallOf(operation, { pageSize: PAGE_SIZE, ...input }))
  expect(status, JSON.stringify(json)).toBe(200)
  // Every list returns a page.
  return json.data as unknown as ListPage
}

const isOfList = (statement: Statement) =>
  isPage(statement) || isCount(statement) || statement.text.includes('list_segments')

/** How many rows the statements of a call touch. */
async function countTouched(work: () => Promise<unknown>): Promise<number> {
  const statements = (await captureStatements(work)).filter(isOfList)
  let touched = 0
  for (const statement of statements) {
    touched += countRowsTouched(await getPlan(gateway, project.projectId, statement))
  }
  return touched
}

const longLists: readonly {
  readonly name: string
  readonly operation: OperationShape
  readonly input: Input
  readonly table: string
  readonly order: string
  readonly condition: string
}[] = [
  {
    ...{ name: 'all orders', operation: orders.list, input: {} },
    ...{ table: 'orders', order: 'created_at desc, id desc', condition: 'true' },
  },
  {
    ...{ name: 'the orders of a status', operation: orders.list, input: { orderStatus: 2 } },
    ...{ table: 'orders', order: 'created_at desc, id desc', condition: 'status = 2' },
  },
  {
    ...{ name: 'the orders of a kind of sale', operation: orders.list, input: { marketType: 1 } },
    ...{ table: 'orders', order: 'created_at desc, id desc', condition: 'market_type = 1' },
  },
  {
    ...{ name: 'the cards of a program', operation: promoCodeCards.list, input: {} },
    ...{ table: 'cards', order: 'id desc', condition: "program = 'promo_code'" },
  },
]

describe('a list of 12,000 rows that were just inserted', () => {
  beforeAll(async () => {
    await startProject()
    await addOrders(0, ROWS)
    await addCards(ROWS)
    await updateSegments()
  })

  it.each(longLists)('reads neither all rows to count them nor those before a page: $name', async (each) => {
    const { operation, input, table, order, condition } = each
    const { rows } = await sql<{ key: string }>`
      select ${sql.ref(table === 'orders' ? 'order_no' : 'id')}::text as key from ${sql.table(`gateway.${table}`)}
      where project_id = ${project.projectId} and ${sql.raw(condition)} order by ${sql.raw(order)}`.execute(
      gateway.owner.system,
    )
    const keys = rows.map(({ key }) => key)

    expect(await countTouched(() => call(operation, input))).toBeLessThan(FIRST_COUNT_ROWS)
    const pages = Math.ceil(keys.length / PAGE_SIZE)
    for (const pageNumber of [1, 2, 100, Math.ceil(pages / 2), pages - 100, pages - 1, pages]) {
      let page: ListPage = { list: [], totalRow: 0 }
      const touched = await countTouched(async () => {
        page = await call(operation, { ...input, pageNumber })
      })
      expect(page.totalRow).toBe(keys.length)
      const start = (pageNumber - 1) * PAGE_SIZE
      expect(page.list.map(({ id, orderNo }) => String(orderNo ?? id))).toEqual(
        keys.slice(start, start + PAGE_SIZE),
      )
      expect(touched, `page ${pageNumber}`).toBeLessThan(MAX_TOUCHED_ROWS)
    }
  })

  it('counts only the edges of a range of times, and reads its pages by segments', async () => {
    const { rows } = await sql<{ key: string; time: string }>`
      select order_no as key, created_at::text as time from gateway.orders
      where project_id = ${project.projectId} order by created_at desc, id desc`.execute(gateway.owner.system)
    // Times of a call have milliseconds. The creation times of the orders have microseconds.
    const at = (index: number) => `${new Date(rows[index]?.time ?? '').toISOString()}`
    const range = { from: at(ROWS - 500), to: at(250) }
    const inRange = rows.filter(({ time }) => {
      const milliseconds = new Date(time).getTime()
      return milliseconds >= Date.parse(range.from) && milliseconds < Date.parse(range.to)
    })
    expect(inRange.length).toBeGreaterThan(10_000)

    expect(await countTouched(() => call(orders.list, range))).toBeLessThan(
      FIRST_COUNT_ROWS + MAX_TOUCHED_ROWS,
    )
    const pages = Math.ceil(inRange.length / PAGE_SIZE)
    for (const pageNumber of [1, 70, Math.ceil(pages / 2), pages - 70, pages]) {
      let page: ListPage = { list: [], totalRow: 0 }
      const touched = await countTouched(async () => {
        page = await call(orders.list, { ...range, pageNumber })
      })
      expect(page.totalRow).toBe(inRange.length)
      const start = (pageNumber - 1) * PAGE_SIZE
      expect(page.list.map(({ orderNo }) => orderNo)).toEqual(
        inRange.slice(start, start + PAGE_SIZE).map(({ key }) => key),
      )
      expect(touched, `page ${pageNumber}`).toBeLessThan(MAX_TOUCHED_ROWS)
    }
  })
})

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
  beforeEach(startProject)

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
          await addOrders(orderCount, orderCount + count)
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
    await addOrders(0, 4 * SEGMENT_ROWS)
    await updateShortSegments()
    expect(await countSegments()).toEqual({ count: 4, longest: SEGMENT_ROWS })
    await addOrders(4 * SEGMENT_ROWS, 8 * SEGMENT_ROWS)
    await updateShortSegments()
    expect(await countSegments()).toEqual({ count: 8, longest: SEGMENT_ROWS })
    await sql`delete from gateway.orders where project_id = ${project.projectId}`.execute(
      gateway.owner.system,
    )
    await updateShortSegments()
    expect(await countSegments()).toEqual({ count: 1, longest: 0 })
  })

  it('count the rows of a transaction that was open during a run, and those of none that was rolled back', async () => {
    await addOrders(0, 2)
    const { system } = gateway.owner
    await system.transaction().execute(async (trx) => {
      await addOrders(2, 5, trx)
      // The run does not wait for the transaction.
      await updateShortSegments()
    })
    expect(await findWrongSegments()).toEqual([])
    await updateShortSegments()
    expect(await findWrongSegments()).toEqual([])
    await expect(
      system.transaction().execute(async (trx) => {
        await addOrders(5, 9, trx)
        throw new Error('rolled back')
      }),
    ).rejects.toThrow('rolled back')
    await updateShortSegments()
    expect(await countSegments()).toEqual({ count: 1, longest: 5 })
  })

  it('are counted for a list that had none, once a change of nothing is recorded', async () => {
    await addOrders(0, 4 * SEGMENT_ROWS)
    await updateShortSegments()
    const { system } = gateway.owner
    await sql`delete from gateway.list_segments where project_id = ${project.projectId}`.execute(system)
    await sql`insert into gateway.list_segment_changes (project_id, relation, field, value, key, change)
      values (${project.projectId}, 'orders', '', '', 0, 0)`.execute(system)
    await updateShortSegments()
    expect(await countSegments()).toEqual({ count: 4, longest: SEGMENT_ROWS })
    expect(await findWrongSegments()).toEqual([])
  })
})
