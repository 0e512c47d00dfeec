import { promoCodeCards } from '@mintmark/cards'
import type { GatewayClient } from '@mintmark/operation'
import { createGateway } from '@mintmark/transport'
import type { Hono } from 'hono'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { TEST_URL, type TestGateway, type TestKey, testGateway } from '../src/testing/gateway.ts'

const CARDS = 1500

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

  it('a list of more than 10,000 items has an estimated total that says so, and exact ones do not', async () => {
    expect((await promoCodeCards.list(here)).paras).toMatchObject({ totalIsEstimate: true })
    const few = await promoCodeCards.listByCreator(here, {
      creator: '0x00000000000000000000000000000000000000c1',
    })
    expect(few.paras).not.toHaveProperty('totalIsEstimate')
  })

  it('a list of more than 10,000 items is counted again in the background, and its total is never more than a minute old', async () => {
    expect(await totalOf(here)).toBe(CARDS_IN_ALL)
    await promoCodeCards.create(there, card)
    expect(await totalOf(here)).toBe(CARDS_IN_ALL)
    time += 9000
    expect(await totalOf(here)).toBe(CARDS_IN_ALL)
    await vi.waitFor(async () => expect(await totalOf(here)).toBe(CARDS_IN_ALL + 1))
    await promoCodeCards.create(there, card)
    time += 60_000
    expect(await totalOf(here)).toBe(CARDS_IN_ALL + 2)
  })

  it('a list of more than 10,000 items is counted for half a minute if counting it took three seconds', async () => {
    let counts = 0
    onCount(() => {
      counts += 1
      time += 3000
    })
    expect(await totalOf(here)).toBe(CARDS_IN_ALL)
    await promoCodeCards.create(there, card)
    time += 11_000
    expect(await totalOf(here)).toBe(CARDS_IN_ALL)
    expect(counts).toBe(1)
    time += 20_000
    expect(await totalOf(here)).toBe(CARDS_IN_ALL + 1)
  })

  it('a list of more than 10,000 items keeps its total when it cannot be counted again, until the total has expired', async () => {
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
    expect(await totalOf(here)).toBe(CARDS_IN_ALL)
    expect(attempts).toBe(1)
    time += 4000
    await expect(totalOf(here)).rejects.toThrow()
    vi.mocked(pg.Client.prototype.query).mockRestore()
    expect(await totalOf(here)).toBe(CARDS_IN_ALL + 1)
  })

  it('a list of more than 10,000 items is counted once for concurrent callers', async () => {
    const CALLERS = 5
    const { query } = pg.Client.prototype
    const released = Promise.withResolvers<void>()
    let [started, longCounts] = [0, 0]
    // The long count lasts until every caller knows that the list is long.
    vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
      this: pg.Client,
      ...parameters: unknown[]
    ) {
      const [config] = parameters as [string | { text: string }]
      const text = typeof config === 'string' ? config : config.text
      const result = Reflect.apply(query, this, parameters)
      if (!text.includes('count(*)') || !text.includes('"cards"')) return result
      if (text.includes('limit')) {
        return result.finally(() => {
          started += 1
          if (started === CALLERS) setImmediate(released.resolve)
        })
      }
      longCounts += 1
      return released.promise.then(() => result)
    } as never)
    const totals = await Promise.all(Array.from({ length: CALLERS }, () => totalOf(here)))
    expect(totals).toEqual(Array.from({ length: CALLERS }, () => CARDS_IN_ALL))
    expect(longCounts).toBe(1)
  })

  it('a list of more than 10,000 items ends with its oldest items, whatever the age of its total', async () => {
    const { totalPage } = await promoCodeCards.list(here, { pageSize: 100 })
    const oldest = await promoCodeCards.list(here, { orderBy: 'id', pageSize: 1 })
    await promoCodeCards.create(there, card)
    const last = await promoCodeCards.list(here, { pageSize: 100, pageNumber: totalPage })
    expect(last.list.at(-1)?.id).toBe(oldest.list[0]?.id)
    expect(last.lastPage).toBe(true)
  })
})
