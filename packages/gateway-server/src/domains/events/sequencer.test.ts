import { productCards } from '@mintmark/market'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Tables } from '../../database/tables.ts'
import { eventSources } from '../../main/composition.ts'
import { createCardClient } from '../../testing/cards.ts'
import { TEST_URL, type TestGateway, testGateway } from '../../testing/gateway.ts'
import { sampleProject } from '../../testing/samples/calls.ts'
import { newAddress } from '../../testing/samples/sample.ts'
import { addAuditEntries } from '../audit/add-entries.ts'
import { sequenceChanges } from './sequencer.ts'

let gateway: TestGateway
let cards: ReturnType<typeof createCardClient>
beforeAll(async () => {
  gateway = await testGateway()
  cards = createCardClient(gateway)
})
afterAll(() => gateway.close())

const logged: unknown[] = []

function sequence(batchSize?: number): Promise<number> {
  const log = { error: (...line: unknown[]) => void logged.push(line) }
  return sequenceChanges({
    db: gateway.owner.system,
    sources: eventSources,
    addAuditEntries,
    publicUrl: TEST_URL,
    log,
    ...(batchSize && { batchSize }),
  })
}

async function sequenceAll(batchSize?: number): Promise<void> {
  while ((await sequence(batchSize)) > 0);
}

interface EventRow {
  readonly sequence: number
  readonly type: string
  readonly subject: string
  readonly data: Record<string, unknown>
}

async function listEvents(): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`
    select sequence, type, subject, data from gateway.events where project_id = ${gateway.key.projectId}
    order by sequence`.execute(gateway.owner.system)
  return rows
}

/** Runs work and returns the events of its changes. */
async function eventsOf(work: () => Promise<unknown>): Promise<EventRow[]> {
  await sequenceAll()
  const { length } = await listEvents()
  await work()
  await sequenceAll()
  return (await listEvents()).slice(length)
}

it('an updated row waits for its event with the changed columns before, and all after', async () => {
  const { id } = await cards.create('promoCodeCards', { name: 'Tea' })
  await sequenceAll()
  await cards.post('promoCodeCards', '/update', { id, name: 'Coffee' })
  const { rows } = await sql`
    select before - 'updated_at' as before, after ->> 'name' as name, after ->> 'total_issued' is not null as whole
    from gateway.row_changes where problem = ''`.execute(gateway.owner.system)
  expect(rows).toEqual([{ before: { name: 'Tea' }, name: 'Coffee', whole: true }])
})

describe('the sequencer', () => {
  it('the sequencer reports a created, a changed and a removed record as the API returned it, without the code of a card', async () => {
    let id = 0
    const created = await eventsOf(async () => {
      ;({ id } = await cards.create('promoCodeCards', { totalIssued: 5 }))
    })
    const card = (await cards.get('promoCodeCards', `/${id}`)).json.data
    expect(created).toMatchObject([
      {
        type: 'card.created',
        subject: `card/${id}`,
        data: { program: 'promoCodeCards', card: { ...card, qrCodeUrl: '' } },
      },
    ])
    const updated = await eventsOf(() => cards.post('promoCodeCards', '/update', { id, name: 'Other' }))
    expect(updated).toMatchObject([{ type: 'card.updated', data: { card: { id, name: 'Other' } } }])
    const removed = await eventsOf(() => cards.remove('promoCodeCards', id))
    expect(removed).toMatchObject([{ type: 'card.removed', subject: `card/${id}` }])
    expect(logged).toEqual([])
  })

  it('the sequencer numbers the events of a project without gaps, and reports each change once, in any number of processes', async () => {
    await sequenceAll()
    const { length } = await listEvents()
    await Promise.all(Array.from({ length: 20 }, () => cards.create('eventCards')))
    await Promise.all(Array.from({ length: 8 }, (_, index) => sequenceAll(1 + index)))
    await sequenceAll()
    const events = await listEvents()
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1))
    expect(new Set(events.slice(length).map(({ subject }) => subject)).size).toBe(20)
    expect(events).toHaveLength(length + 20)
  })

  it('the sequencer merges the changes of a transaction to one record', async () => {
    const { id } = await cards.create('promoCodeCards', { totalIssued: 5 })
    const events = await eventsOf(() => cards.verify('promoCodeCards', { id }))
    expect(events.map(({ type }) => type).sort()).toEqual(['card.updated', 'verification.accepted'])
  })

  it('the sequencer reports a change that was rolled back nowhere', async () => {
    const { id } = await cards.create('promoCodeCards')
    const events = await eventsOf(async () => {
      const refused = await cards.post('promoCodeCards', '/update', { id, endTime: '2020-01-01T00:00:00Z' })
      expect(refused.status).toBe(400)
    })
    expect(events).toEqual([])
  })

  it('the sequencer never numbers an event below one that a reader has seen', async () => {
    await sequenceAll()
    const before = await listEvents()
    const { promise: hold, resolve: release } = Promise.withResolvers<void>()
    const { promise: inserted, resolve: markInserted } = Promise.withResolvers<void>()
    const slow = gateway.owner.system.transaction().execute(async (trx) => {
      await trx
        .insertInto('gateway.contracts')
        .values({
          project_id: gateway.key.projectId,
          chain_id: '1',
          nft_address: `0x${'5e'.repeat(20)}`,
          name: 'Slow',
          nft_type: 'ERC721',
        })
        .execute()
      markInserted()
      await hold
    })
    await inserted
    const { id } = await cards.create('promoCodeCards')
    await sequenceAll()
    const between = await listEvents()
    expect(between.slice(before.length)).toMatchObject([{ subject: `card/${id}` }])
    release()
    await slow
    await sequenceAll()
    const after = await listEvents()
    expect(after.slice(0, between.length)).toEqual(between)
    expect(after.slice(between.length)).toMatchObject([
      { type: 'contract.created', sequence: between.length + 1 },
    ])
  })

  it('the sequencer keeps the order of the changes of a record in batches of any size, whichever transaction began first', async () => {
    const { id } = await cards.create('promoCodeCards')
    await sequenceAll()
    const rename = (db: Kysely<Tables>, name: string) =>
      db.updateTable('gateway.cards').set({ name }).where('id', '=', id).execute()
    const { length } = await listEvents()
    const other = await cards.create('promoCodeCards')
    await gateway.owner.system.transaction().execute(async (early) => {
      await early.updateTable('gateway.cards').set({ name: 'Any' }).where('id', '=', other.id).execute()
      await rename(gateway.owner.system, 'First')
      await rename(early, 'Second')
    })
    await sequenceAll(1)
    const events = (await listEvents()).slice(length).filter(({ subject }) => subject === `card/${id}`)
    expect(events).toMatchObject([
      { data: { card: { name: 'First' } } },
      { data: { card: { name: 'Second' } } },
    ])
  })

  it('the sequencer numbers the changes of every project in a batch, although one project has changed much more before', async () => {
    const rival = await gateway.newKey({ project: 'rival' })
    await sequenceAll()
    await sql`insert into gateway.fans (project_id, fan, address)
      select ${rival.projectId}, 'fan' || n, 'wallet' from generate_series(1, 300) n`.execute(
      gateway.owner.system,
    )
    const { length } = await listEvents()
    const { id } = await cards.create('promoCodeCards')
    await sequence(20)
    expect((await listEvents()).slice(length)).toMatchObject([{ subject: `card/${id}` }])
    await sequenceAll()
    const { rows } = await sql<{ subject: string }>`
      select data ->> 'fan' as subject from gateway.events where project_id = ${rival.projectId}
      order by sequence`.execute(gateway.owner.system)
    expect(rows.map(({ subject }) => subject)).toEqual(Array.from({ length: 300 }, (_, at) => `fan${at + 1}`))
  })

  it('the sequencer reports a change of a record that was removed before the change was numbered', async () => {
    const { client, projectId } = await sampleProject(gateway, 'products')
    const nftAddress = newAddress()
    await productCards.addNftInfo(client, { name: 'Lamp', nftAddress, owner: newAddress() })
    const { rows: nfts } = await sql<{ id: number }>`
      select id from gateway.mintable_nfts where project_id = ${projectId}`.execute(gateway.owner.system)
    const id = nfts[0]?.id ?? 0
    await sequenceAll()
    await productCards.writeData(client, { nftAddress, nftId: String(id), data: { room: 1 } })
    await productCards.removeNftInfo(client, { id })
    await sequenceAll()
    const { rows } = await sql<{ type: string }>`
      select type from gateway.events where project_id = ${projectId} order by sequence`.execute(
      gateway.owner.system,
    )
    expect(rows.map(({ type }) => type)).toEqual([
      'product_nft.created',
      'product_nft.token_data_changed',
      'product_nft.removed',
    ])
  })

  it('the sequencer numbers events and deletes their changes together, or does neither', async () => {
    await sequenceAll()
    const { length } = await listEvents()
    const { id } = await cards.create('promoCodeCards')
    const db = gateway.owner.system
    await sql`create function gateway.fail() returns trigger language plpgsql as $$
      begin raise exception 'The process ends here'; end $$`.execute(db)
    await sql`create trigger fail before delete on gateway.row_changes
      for each statement execute function gateway.fail()`.execute(db)
    await expect(sequence()).rejects.toThrow('The process ends here')
    await sql`drop function gateway.fail() cascade`.execute(db)
    expect(await listEvents()).toHaveLength(length)
    await sequenceAll()
    expect((await listEvents()).slice(length)).toMatchObject([{ subject: `card/${id}` }])
  })
})
