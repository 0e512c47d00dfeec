import { promoCodeCards } from '@mintmark/cards'
import type { GatewayClient } from '@mintmark/operation'
import { createGateway } from '@mintmark/transport'
import type { Hono } from 'hono'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { analyzeGrowingTables, createListChangePruner } from './maintenance/maintenance.ts'
import { TEST_URL, type TestGateway, type TestKey, testGateway } from './testing/gateway.ts'
import { captureStatements, isCount } from './testing/list-statements.ts'

const CARDS = 1500
/** Ends a wait that would never succeed. */
const WAIT_MS = 120_000

let gateway: TestGateway
let other: Hono
let reader: pg.Client
beforeAll(async () => {
  gateway = await testGateway()
  other = await gateway.another()
  reader = new pg.Client({ connectionString: gateway.url })
  await reader.connect()
})
afterAll(async () => {
  await reader.end()
  await gateway.close()
})

let project: TestKey
let here: GatewayClient
let there: GatewayClient
let projects = 0
beforeEach(async () => {
  projects += 1
  project = await gateway.newKey({ project: `counted ${projects}` })
  here = clientOf(gateway.app)
  there = clientOf(other)
  await addCards(gateway.owner.system, project.projectId, CARDS)
})

/** A client of one of two gateway processes. */
function clientOf(app: Hono): GatewayClient {
  return createGateway({
    baseUrl: TEST_URL,
    credentials: { apiKey: project.apiKey, secret: project.secret },
    fetch: async (input, init) => await app.fetch(new Request(input, init)),
  })
}

async function addCards(db: TestGateway['owner']['system'], projectId: number, count: number): Promise<void> {
  await sql`
    insert into gateway.cards (project_id, program, name, nft_address, start_time, end_time, validity_period, total_issued, qr_code)
    select ${projectId}, 'promo_code', 'Card', '0xa', '2026-01-01', '2099-01-01', '2099-01-01', 1, gen_random_uuid()
    from generate_series(1, ${count}::int)`.execute(db)
}

const card = {
  name: 'Card',
  nftAddress: '0x00000000000000000000000000000000000000a1',
  totalIssued: 1,
  startTime: '2026-01-01T00:00:00Z',
  endTime: '2099-01-01T00:00:00Z',
}
const totalOf = async (client: GatewayClient) => (await promoCodeCards.list(client)).totalRow

/** Whether a list reads its rows to count them. */
async function countsRows(client: GatewayClient): Promise<boolean> {
  const statements = await captureStatements(() => promoCodeCards.list(client))
  return statements.some(isCount)
}

it('counts cards that this process and another one created, as soon as they are created', async () => {
  expect([await totalOf(here), await totalOf(there)]).toEqual([CARDS, CARDS])
  const { id } = await promoCodeCards.create(there, card)
  expect([await totalOf(here), await totalOf(there)]).toEqual([CARDS + 1, CARDS + 1])
  await promoCodeCards.create(here, card)
  expect([await totalOf(here), await totalOf(there)]).toEqual([CARDS + 2, CARDS + 2])
  await promoCodeCards.remove(here, { id })
  expect([await totalOf(here), await totalOf(there)]).toEqual([CARDS + 1, CARDS + 1])
})

it('counts a write that began before the last count and was committed after it', async () => {
  await gateway.owner.system.transaction().execute(async (trx) => {
    await addCards(trx, project.projectId, 1)
    expect(await totalOf(here)).toBe(CARDS)
  })
  expect(await totalOf(here)).toBe(CARDS + 1)
})

it('reads no rows to count a list whose tables have not changed', async () => {
  expect(await countsRows(here)).toBe(true)
  expect(await countsRows(here)).toBe(false)
  // Neither a write of another project, nor one that is rolled back, nor one to another table makes it count
  // again.
  await addCards(gateway.owner.system, gateway.key.projectId, 1)
  await gateway.owner.system
    .transaction()
    .execute(async (trx) => {
      await addCards(trx, project.projectId, 1)
      throw new Error('rolled back')
    })
    .catch(() => {})
  expect(await countsRows(here)).toBe(false)
  await promoCodeCards.create(there, card)
  expect(await countsRows(here)).toBe(true)
  expect(await countsRows(here)).toBe(false)
})

describe('a list of more than 10,000 items', () => {
  const MORE_CARDS = 12_000
  const CARDS_IN_ALL = CARDS + MORE_CARDS
  let time: number
  beforeEach(async () => {
    await addCards(gateway.owner.system, project.projectId, MORE_CARDS)
    time = Date.now()
    vi.spyOn(Date, 'now').mockImplementation(() => time)
  })
  afterEach(() => void vi.restoreAllMocks())

  /** Runs a callback when a statement counts all rows of the list. */
  function onCount(counted: () => void): void {
    const { query } = pg.Client.prototype
    vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
      this: pg.Client,
      ...parameters: unknown[]
    ) {
      const [config] = parameters as [string | { text: string }]
      const text = typeof config === 'string' ? config : config.text
      if (text.includes('count(*)') && text.includes('"cards"') && !text.includes('limit')) counted()
      return Reflect.apply(query, this, parameters)
    } as never)
  }

  it('is not read again to count it while its tables have not changed', async () => {
    expect(await totalOf(here)).toBe(CARDS_IN_ALL)
    for (let later = 0; later < 3; later += 1) {
      time += 20_000
      expect(await countsRows(here)).toBe(false)
    }
    await promoCodeCards.create(there, card)
    time += 20_000
    expect(await totalOf(here)).toBe(CARDS_IN_ALL + 1)
  })

  it('is counted for half a minute if counting it took three seconds', async () => {
    let counts = 0
    onCount(() => {
      counts += 1
      time += 3000
    })
    expect(await totalOf(here)).toBe(CARDS_IN_ALL)
    expect(counts).toBe(1)
    await promoCodeCards.create(there, card)
    time += 11_000
    expect(await totalOf(here)).toBe(CARDS_IN_ALL)
    expect(counts).toBe(1)
    time += 20_000
    expect(await totalOf(here)).toBe(CARDS_IN_ALL + 1)
  })

  it('is not read again to count it while its tables have not changed, however long counting takes', async () => {
    let counts = 0
    onCount(() => {
      counts += 1
      time += 8000
    })
    expect(await totalOf(here)).toBe(CARDS_IN_ALL)
    // A call after half of the minute looks for changes in the background, and the next one waits for that.
    for (const elapsed of [35_000, 26_000, 10_000, 26_000, 10_000, 26_000]) {
      time += elapsed
      expect(await totalOf(here)).toBe(CARDS_IN_ALL)
    }
    expect(counts).toBe(1)
  })

  it('keeps its count when it cannot be counted again, until the count has expired', async () => {
    await totalOf(here)
    await promoCodeCards.create(there, card)
    let attempts = 0
    onCount(() => {
      attempts += 1
      throw new Error('canceling statement due to statement timeout')
    })
    time += 6000
    expect(await totalOf(here)).toBe(CARDS_IN_ALL)
    await vi.waitFor(() => expect(attempts).toBe(1))
    for (let later = 0; later < 10; later += 1) {
      time += 100
      expect(await totalOf(here)).toBe(CARDS_IN_ALL)
    }
    expect(attempts).toBe(1)
    time += 4000
    await expect(totalOf(here)).rejects.toThrow()
    vi.mocked(pg.Client.prototype.query).mockRestore()
    expect(await totalOf(here)).toBe(CARDS_IN_ALL + 1)
  })

  it('has the own writes of a caller when it has become short while it is counted for an earlier caller', async () => {
    await totalOf(here)
    await sql`
      update gateway.cards set deleted = true where id in (
        select id from gateway.cards where project_id = ${project.projectId} limit ${MORE_CARDS})`.execute(
      gateway.owner.system,
    )
    time += 20_000
    const { isHeld, release } = holdCount()
    const earlier = totalOf(here)
    await isHeld
    await promoCodeCards.create(there, card)
    const later = totalOf(here)
    // Meanwhile, the later call joins the count of the earlier one.
    for (let calls = 0; calls < 5; calls += 1) await totalOf(there)
    release()
    expect(await later).toBe(CARDS + 1)
    await earlier
  })

  /** Counts the list at once, but returns the result of the first count only after its release. */
  function holdCount(): { readonly isHeld: Promise<void>; readonly release: () => void } {
    const { query } = pg.Client.prototype
    const held = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    let isFirst = true
    vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
      this: pg.Client,
      ...parameters: unknown[]
    ) {
      const [config] = parameters as [string | { text: string }]
      const text = typeof config === 'string' ? config : config.text
      const result = Reflect.apply(query, this, parameters)
      if (!isFirst || !text.includes('count(*)') || !text.includes('"cards"')) return result
      isFirst = false
      return (async () => {
        const rows = await result
        held.resolve()
        await released.promise
        return rows
      })()
    } as never)
    return { isHeld: held.promise, release: released.resolve }
  }

  it('is counted once for callers at the same time', async () => {
    await totalOf(here)
    await promoCodeCards.create(there, card)
    time += 20_000
    let counts = 0
    onCount(() => {
      counts += 1
    })
    const totals = await Promise.all(Array.from({ length: 5 }, () => totalOf(here)))
    expect(totals).toEqual(Array.from({ length: 5 }, () => CARDS_IN_ALL + 1))
    expect(counts).toBe(1)
  })
})

it('does not block writers of a project while a transaction of another writer is open', async () => {
  await gateway.owner.system.transaction().execute(async (trx) => {
    await addCards(trx, project.projectId, 1)
    // It would wait for as long as the transaction is open, which waits for it.
    await promoCodeCards.create(here, card, { timeout: 10_000 })
  })
  expect(await totalOf(here)).toBe(CARDS + 2)
})

it('keeps the recorded changes that a cached count may not include, and removes older ones', async () => {
  const prune = createListChangePruner(gateway.owner.pool)
  const records = async () =>
    (
      await sql`select from gateway.list_changes where project_id = ${project.projectId} and relation = 'cards'`.execute(
        gateway.owner.system,
      )
    ).rows.length
  await prune()
  await promoCodeCards.create(here, card)
  expect(await records()).toBe(2)
  await prune()
  // The record of the new card is younger than the previous run.
  expect(await records()).toBeGreaterThanOrEqual(1)
  // A record is removed once it is older than every open transaction of the server, also those of other
  // databases.
  await vi.waitFor(async () => {
    await prune()
    expect(await records()).toBe(0)
  }, WAIT_MS)
  expect(await totalOf(here)).toBe(CARDS + 1)
})

it('analyzes a table that has filled since it was created, and not again before it has doubled', async () => {
  // Autovacuum may have analyzed the table since the last write, so each attempt doubles it. The statistics
  // of a connection that are not flushed are not visible to others.
  await vi.waitFor(async () => {
    await reader.query('begin')
    await reader.query(`
      insert into gateway.cards (project_id, program, name, nft_address, start_time, end_time, validity_period, total_issued, qr_code)
      select project_id, program, name, nft_address, start_time, end_time, validity_period, total_issued, gen_random_uuid()
      from gateway.cards`)
    await reader.query('select pg_stat_force_next_flush()')
    await reader.query('commit')
    expect(await analyzeGrowingTables(gateway.owner.pool)).toContain('gateway.cards')
  }, WAIT_MS)
  const { rows } = await sql<{ reltuples: number }>`
    select reltuples from pg_class where oid = 'gateway.cards'::regclass`.execute(gateway.owner.system)
  expect(rows[0]?.reltuples).toBeGreaterThanOrEqual(CARDS)
  // A table that autovacuum analyzes at this time is skipped, and is due until that has ended.
  await vi.waitFor(
    async () => expect(await analyzeGrowingTables(gateway.owner.pool)).not.toContain('gateway.cards'),
    WAIT_MS,
  )
})

it('does not analyze the table of changes of segments, which a job empties every five seconds', async () => {
  const client = await gateway.owner.pool.connect()
  try {
    // Autovacuum may analyze the table after the insert.
    await vi.waitFor(async () => {
      await client.query('begin')
      await client.query(
        `insert into gateway.list_segment_changes (project_id, relation, field, value, key, change)
         select $1::bigint, 'orders', '', '', 0, 0 from generate_series(1, 2000)`,
        [project.projectId],
      )
      await client.query('select pg_stat_force_next_flush()')
      await client.query('commit')
      const { rows } = await client.query(
        `select from pg_stat_user_tables s join pg_class c on c.oid = s.relid
         where s.relid = 'gateway.list_segment_changes'::regclass and s.n_mod_since_analyze >= greatest(500, c.reltuples)`,
      )
      expect(rows).toHaveLength(1)
    }, WAIT_MS)
  } finally {
    client.release()
  }
  expect(await analyzeGrowingTables(gateway.owner.pool)).not.toContain('gateway.list_segment_changes')
})
