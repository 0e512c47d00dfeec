import { randomFrom } from '@mintmark/devkit/random'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestGateway, testGateway } from '../testing/gateway.ts'
import { updateSegments } from '../testing/update-segments.ts'
import { updateListSegments } from './list-segments.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway()
})
afterAll(() => gateway.close())

const SEGMENT_ROWS = 3
const SELLERS = ['0xa', '0xb']
/** Prices of different lengths, up to the highest one. */
const PRICES = ['1', '9', '10', '99', '100', '9'.repeat(78)]
const ENDS = ['2099-01-01', '2099-01-01 00:00:00.000001', '9999-12-31 23:59:59.999999+00', 'infinity']
const LISTS = [
  ['market_type', '1'],
  ['market_type by price_key', '1'],
  ['market_type,seller by price_key', '["1", "0xa"]'],
  ['market_type,pay_token_address by price_key', '["1", "0xa"]'],
  ['market_type by end_time', '1'],
] as const

const owner = () => gateway.owner.system

/**
 * Lists the segments that do not have the listings from their first key to the next segment's. A key is a
 * value, times 10^19, plus the id.
 */
async function findWrongSegments(projectId: number): Promise<unknown[]> {
  const { rows } = await sql`
    with segment as (
      select *, lead(start) over (partition by field, value order by start) as next
      from gateway.list_segments where project_id = ${projectId} and relation = 'listings'
    ), listed as (
      select l.seller, l.pay_token_address, list.field, list.key
      from gateway.listings l cross join lateral (values
        ('market_type', (extract(epoch from created_at) * 1000000)::bigint::numeric),
        ('market_type by price_key', pay_price * 1e19 + id), ('market_type,seller by price_key', pay_price * 1e19 + id),
        ('market_type,pay_token_address by price_key', pay_price * 1e19 + id),
        ('market_type by end_time', (trunc(extract(epoch from least(end_time, '10000-01-01 00:00:00+00')) * 1000000) + 62135596800000000) * 1e19 + id)) as list (field, key)
      where project_id = ${projectId} and status = 'ON'
    )
    select * from (
      select s.field, s.value, s.start, s.row_count + (
        select coalesce(sum(c.change), 0) from gateway.list_segment_changes c
        where (c.project_id, c.relation, c.field, c.value) = (s.project_id, s.relation, s.field, s.value) and c.key >= s.start
          and (s.next is null or c.key < s.next)) as counted, (
        select count(*) from listed l
        where l.field = s.field and l.key >= s.start and (s.next is null or l.key < s.next)
          and (l.field not like '%seller%' or l.seller = '0xa')
          and (l.field not like '%pay_token%' or l.pay_token_address = '0xa')) as actual
      from segment s
    ) as each where counted <> actual`.execute(owner())
  return rows
}

it.each([1, 2, 3, 4])(
  'segments have exactly the listings between their keys after random changes, with equal prices and ends, seed %i',
  async (seed) => {
    const random = randomFrom(seed)
    const pick = (values: readonly string[]) => values[random.integer(values.length)] ?? ''
    const { projectId } = await gateway.newKey({ project: `listed ${seed}` })
    const ofProject = sql`project_id = ${projectId}`
    for (const [field, value] of LISTS)
      await sql`select gateway.request_list_segments('listings', ${field}, ${value})`.execute(
        gateway.database.forProject(projectId),
      )
    const addListing = (price: string, end: string, seller: string) => sql`
      with asset as (
        insert into gateway.assets (project_id, chain_id, nft_address, nft_id, nft_type, owner, quantity)
        values (${projectId}, '1', '0x1', gen_random_uuid()::text, 'ERC1155', ${seller}, 1) returning id)
      insert into gateway.listings (project_id, market_type, asset_id, chain_id, nft_address, nft_id, nft_type, seller, quantity, remaining,
        pay_price, start_time, end_time)
      select ${projectId}, 1, id, '1', '0x1', '1', 'ERC1155', ${seller}, 1, 1, ${price}::numeric, '2026-01-01', ${end}::timestamptz from asset`
    for (let step = 0; step < 40; step += 1) {
      const some = sql`${ofProject} and id % 5 = ${random.integer(5)}::bigint`
      const change = random.integer(9)
      if (change <= 2) {
        for (let count = 1 + random.integer(6); count > 0; count -= 1)
          await addListing(pick(PRICES), pick(ENDS), pick(SELLERS)).execute(owner())
      } else if (change === 3) {
        await sql`update gateway.listings set pay_price = ${pick(PRICES)}::numeric where ${some}`.execute(
          owner(),
        )
      } else if (change === 4) {
        await sql`update gateway.listings set end_time = ${pick(ENDS)}::timestamptz where ${some}`.execute(
          owner(),
        )
      } else if (change === 8) {
        await sql`update gateway.listings set pay_token_address = ${pick(SELLERS)} where ${some}`.execute(
          owner(),
        )
      } else if (change === 5) {
        await sql`update gateway.listings set status = ${pick(['ON', 'OFF'])} where ${some}`.execute(owner())
      } else {
        const sizes = { partRows: 1 + random.integer(10), runRows: 1 + random.integer(40) }
        await updateListSegments(gateway.owner.pool, { segmentRows: SEGMENT_ROWS, ...sizes })
      }
      expect(await findWrongSegments(projectId), `step ${step}`).toEqual([])
    }
    await updateSegments(gateway, { segmentRows: SEGMENT_ROWS })
    expect(await findWrongSegments(projectId)).toEqual([])
    const { rows } = await sql<{ longest: number }>`
      select max(row_count)::int as longest from gateway.list_segments where ${ofProject}`.execute(owner())
    expect(rows[0]?.longest).toBeLessThanOrEqual(2 * SEGMENT_ROWS)
  },
)
