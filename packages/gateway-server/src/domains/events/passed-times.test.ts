import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createCardClient } from '../../testing/cards.ts'
import { countRowsRead } from '../../testing/count-rows-read.ts'
import { recordEvents } from '../../testing/event-cases/event-recorder.ts'
import { type TestGateway, testGateway } from '../../testing/gateway.ts'
import { addCards } from '../../testing/list-rows.ts'
import { passTimes } from './passed-times.ts'

const CARDS = 300
const FUTURE = '2090-01-01T00:00:00Z'

let gateway: TestGateway
let cards: ReturnType<typeof createCardClient>
beforeAll(async () => {
  gateway = await testGateway()
  cards = createCardClient(gateway)
})
afterAll(() => gateway.close())

/** Records passed times and returns the types of the events. */
async function pass(processes = 1): Promise<string[]> {
  const passAll = () => Promise.all(Array.from({ length: processes }, () => passTimes(gateway.owner.system)))
  const events = await recordEvents(gateway, gateway.key.projectId, passAll)
  return events.map(({ type }) => type)
}

/** Moves the end of a card by seconds from now, by the database's clock. */
async function endIn(id: number, seconds: number): Promise<void> {
  await gateway.owner.system
    .updateTable('gateway.cards')
    .set({ validity_period: sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})` })
    .where('id', '=', id)
    .execute()
}

it('the times of records are recorded once each by any number of processes, in batches', async () => {
  await sql`insert into gateway.cards (project_id, program, name, nft_address, start_time, end_time, validity_period,
        total_issued, qr_code)
      select ${gateway.key.projectId}, 'promo_code', 'Card', '0x', '2020-01-01', '2090-01-01', '2090-01-01', 1, 'code' || n
      from generate_series(1, ${CARDS}) n`.execute(gateway.owner.system)
  expect(await pass()).toEqual([])
  await sql`update gateway.cards set validity_period = clock_timestamp() - interval '1 second'`.execute(
    gateway.owner.system,
  )
  expect(await pass(8)).toEqual(Array(CARDS).fill('card.expired'))
  expect(await pass(8)).toEqual([])
})

it('the times of records that have not passed are not read', async () => {
  await addCards(gateway.owner.system, gateway.key.projectId, 2000)
  expect(await countRowsRead(gateway, ['cards'], passTimes)).toBe(0)
})

it('the times of records are recorded again when they are moved to the future and pass once more', async () => {
  const { id } = await cards.create('promoCodeCards')
  await endIn(id, -1)
  expect(await pass()).toEqual(['card.expired'])
  await endIn(id, 3600)
  expect(await pass()).toEqual([])
  await endIn(id, -1)
  expect(await pass()).toEqual(['card.expired'])
})

it('the times of records that passed before the record was created, or while it was removed, are no events', async () => {
  const { id } = await cards.create('promoCodeCards')
  expect(await pass()).toEqual([])
  await cards.remove('promoCodeCards', id)
  await endIn(id, -1)
  expect(await pass()).toEqual([])
})

it('the times of records are recorded in their order after a pause of all processes', async () => {
  const { id } = await cards.create('promoCodeCards', { startTime: FUTURE })
  await gateway.owner.system
    .updateTable('gateway.cards')
    .set({
      start_time: sql<Date>`clock_timestamp() - interval '2 hours'`,
      validity_period: sql<Date>`clock_timestamp() - interval '1 hour'`,
    })
    .where('id', '=', id)
    .execute()
  expect(await pass()).toEqual(['card.started', 'card.expired'])
})

it('the times of records do not wait for a record that another transaction has locked', async () => {
  const [locked, free] = [await cards.create('promoCodeCards'), await cards.create('promoCodeCards')]
  await endIn(locked.id, -1)
  await endIn(free.id, -1)
  await gateway.database
    .forProject(gateway.key.projectId)
    .transaction()
    .execute(async (trx) => {
      await trx.selectFrom('gateway.cards').select('id').where('id', '=', locked.id).forUpdate().execute()
      expect(await pass()).toEqual(['card.expired'])
    })
  expect(await pass()).toEqual(['card.expired'])
})
