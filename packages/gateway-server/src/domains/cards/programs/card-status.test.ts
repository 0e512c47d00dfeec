import { promoCodeCards } from '@mintmark/cards'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { keepWithoutStatistics } from '../../../testing/copy-rows.ts'
import { type TestGateway, testGateway } from '../../../testing/gateway.ts'
import { addCards } from '../../../testing/list-rows.ts'
import {
  captureStatements,
  countRowsTouched,
  getPlan,
  isCount,
  isPage,
} from '../../../testing/list-statements.ts'
import { rawCallOf } from '../../../testing/samples/calls.ts'

const CARDS = 5000
/**
 * How many rows a call may touch: the first 200 of the list for the count and for the page, each in several
 * nodes of a plan.
 */
const MAX_TOUCHED_ROWS = 2000

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway()
  await keepWithoutStatistics(gateway)
  await addCards(gateway.owner.system, gateway.key.projectId, CARDS)
})
afterAll(() => gateway.close())

it('finds the few cards that are EXPIRED by an index', async () => {
  const { projectId } = gateway.key
  const { rows } = await sql<{ id: number }>`
    update gateway.cards set start_time = '2020-01-01', end_time = '2021-01-01', validity_period = '2021-01-01'
    where id in (select id from gateway.cards where project_id = ${projectId} order by id offset 100 limit 3) returning id`.execute(
    gateway.owner.system,
  )
  const ids = rows.map(({ id }) => id).sort((left, right) => left - right)
  const statements = await captureStatements(async () => {
    const { json } = await gateway.key.call(
      rawCallOf(promoCodeCards.search, { status: 'EXPIRED', orderBy: 'id' }),
    )
    expect(json.data).toMatchObject({ list: ids.map((id) => ({ id })), totalRow: 3 })
  })
  let touched = 0
  for (const statement of statements.filter((each) => isPage(each) || isCount(each))) {
    touched += countRowsTouched(await getPlan(gateway, projectId, statement))
  }
  expect(touched).toBeLessThan(MAX_TOUCHED_ROWS)
})
