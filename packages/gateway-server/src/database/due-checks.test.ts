import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { keepWithoutStatistics, withStatistics } from '../testing/copy-rows.ts'
import { countRowsRead } from '../testing/count-rows-read.ts'
import { type TestGateway, testGateway } from '../testing/gateway.ts'
import { createDueChecks, type DueRow } from './due-checks.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway()
  await keepWithoutStatistics(gateway)
})
afterAll(() => gateway.close())

const claims = [
  {
    what: 'orders',
    table: 'order_checks',
    claimFunction: 'claim_due_orders',
    id: 'order_id',
    columns: `order_id`,
    values: `nextval('gateway.orders_id_seq')`,
  },
  {
    what: 'mints',
    table: 'mint_reservations',
    claimFunction: 'claim_due_mints',
    id: 'reservation_id',
    columns: `collection_id, phase_id, recipient, quantity, price, expires_at`,
    values: `1, 1, '0x', 1, 1, now()`,
  },
] as const

let projects = 0
/** Ids of projects that do not exist. */
const newProject = () => 1000 + ++projects

describe.each(claims)('a claim of due $what', ({ table, claimFunction, id, columns, values }) => {
  beforeEach(async () => {
    await sql`truncate ${sql.table(`gateway.${table}`)} cascade`.execute(gateway.owner.system)
  })

  /** Adds rows that are due since, or in, a number of seconds. No triggers or foreign keys are checked. */
  async function add(project: number, count: number, seconds: number): Promise<void> {
    await gateway.owner.system.transaction().execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx)
      await sql`insert into ${sql.table(`gateway.${table}`)} (project_id, due_at, ${sql.raw(columns)})
        select ${project}, clock_timestamp() + make_interval(secs => ${seconds}), ${sql.raw(values)}
        from generate_series(1, ${count}::int)`.execute(trx)
    })
  }

  const select = (count: number, afterProject = 0, busyProjects: number[] = []) => sql<DueRow>`
    select project_id as project, ${sql.ref(id)} as id from ${sql.table(`gateway.${claimFunction}`)}(
      ${count}, interval '1 minute', ${afterProject}, ${busyProjects})`

  async function claim(...request: Parameters<typeof select>): Promise<number[]> {
    const { rows } = await select(...request).execute(gateway.database.system)
    expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length)
    return rows.map(({ project }) => project)
  }

  const countOf = (claimed: readonly number[], project: number) =>
    claimed.filter((each) => each === project).length

  it('contains that of a project with one beside a project with very many older ones', async () => {
    const [many, one] = [newProject(), newProject()]
    await add(many, 5000, -3600)
    await add(one, 1, 0)
    const claimed = await claim(20)
    expect(countOf(claimed, one)).toBe(1)
    expect(countOf(claimed, many)).toBe(19)
  })

  it('gives each project an equal share, and what a project does not need to the others', async () => {
    const [first, few, last] = [newProject(), newProject(), newProject()]
    await add(first, 100, -60)
    await add(few, 2, -60)
    await add(last, 100, -3600)
    const claimed = await claim(20)
    expect(claimed).toHaveLength(20)
    expect(countOf(claimed, few)).toBe(2)
    expect([countOf(claimed, first), countOf(claimed, last)]).toEqual([9, 9])
  })

  it('serves more projects than it has rows in turn, from any project on', async () => {
    const all = Array.from({ length: 50 }, newProject)
    for (const project of all) await add(project, 100, -60)
    let after = all[36] ?? 0
    const served: number[] = []
    for (let turn = 0; turn < 5; turn += 1) {
      const claimed = await claim(20, after)
      served.push(...claimed)
      after = claimed.at(-1) ?? 0
    }
    expect(served).toEqual([...all.slice(37), ...all, ...all.slice(0, 37)])
  })

  it('contains the oldest of a project first, none of a busy project, and none before its time', async () => {
    const [busy, project, later] = [newProject(), newProject(), newProject()]
    await add(busy, 5, -60)
    await add(project, 1, -10)
    await add(project, 1, -30)
    await add(later, 1, 60)
    expect(await claim(1, 0, [busy])).toEqual([project])
    const { rows } = await sql<{ waiting: number }>`
      select extract(epoch from clock_timestamp() - min(due_at))::int as waiting
      from ${sql.table(`gateway.${table}`)} where project_id = ${project}`.execute(gateway.owner.system)
    expect(rows[0]?.waiting).toBeLessThan(30)
    expect(await claim(20, 0, [busy])).toEqual([project])
    expect(await claim(20, 0, [busy])).toEqual([])
    expect(await claim(20)).toEqual(Array(5).fill(busy))
  })

  it('leaves what another process claims concurrently, and takes the next ones', async () => {
    const project = newProject()
    await add(project, 30, -60)
    const [first, second] = await Promise.all([claim(20), claim(20)])
    expect(first.length + second.length).toBe(30)
  })

  it('reads few rows of a large table without statistics', async () => {
    const [many, one] = [newProject(), newProject()]
    await add(many, 10_000, -3600)
    await add(many, 10_000, 3600)
    await add(one, 1, 0)
    expect(await withStatistics(gateway, [table])).toEqual([])
    const read = await countRowsRead(gateway, [table], async (trx) => {
      expect((await select(20).execute(trx)).rows).toHaveLength(20)
    })
    expect(read).toBeLessThan(200)
  })
})

describe('checks of due rows', () => {
  /** Checks rows of a list, which are claimed in the order of the list. */
  function createFixture(due: DueRow[]) {
    const checked: number[] = []
    const slow = new Map<number, () => void>()
    const run = createDueChecks({
      async claim({ count, busyProjects }) {
        const free = due.filter(({ project }) => !busyProjects.includes(project)).slice(0, count)
        for (const row of free) due.splice(due.indexOf(row), 1)
        return free
      },
      async check({ project, id }) {
        // Checks of project 1 last until the test ends them.
        if (project === 1) await new Promise<void>((resolve) => slow.set(id, resolve))
        checked.push(id)
      },
    })
    return { run, checked, slow }
  }

  it('checks of due rows of other projects continue while those of one project take long', async () => {
    const slowRows = Array.from({ length: 10 }, (_, id) => ({ project: 1, id }))
    const others = Array.from({ length: 100 }, (_, index) => ({ project: 2, id: 100 + index }))
    const { run, checked, slow } = createFixture([...slowRows, ...others])
    const running = run()
    await expect.poll(() => checked.length).toBe(100)
    expect(slow.size).toBe(10)
    for (const end of slow.values()) end()
    await running
    expect(checked).toHaveLength(110)
  })

  it('checks of due rows end only when every claimed row was checked, also if a claim fails', async () => {
    let claimed = 0
    let isChecked = false
    const run = createDueChecks({
      claim: async ({ count }) => {
        claimed += 1
        if (claimed > 1) throw new Error('lost connection')
        // The second project's check ends at once.
        return Array.from({ length: count }, (_, id) => ({ project: id === 0 ? 2 : 1, id }))
      },
      check: async ({ project, id }) => {
        if (project === 2 || id > 1) return
        await new Promise((resolve) => setTimeout(resolve, 50))
        isChecked = true
      },
    })
    await expect(run()).rejects.toThrow('lost connection')
    expect(isChecked).toBe(true)
  })
})
