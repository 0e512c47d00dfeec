import { eventTypes } from '@mintmark/events'
import type { EventTypes } from '@mintmark/operation'
import { sql } from 'kysely'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { passTimes } from '../src/domains/events/passed-times.ts'
import { listEmittedEvents } from '../src/testing/emitted-events.ts'
import { listTypes, recordEvents } from '../src/testing/event-cases/event-recorder.ts'
import { jobCases } from '../src/testing/event-cases/job-cases.ts'
import { type TestGateway, testGateway } from '../src/testing/gateway.ts'
import { sampleProject } from '../src/testing/samples/calls.ts'
import { samples } from '../src/testing/samples/index.ts'
import type { SampleProject } from '../src/testing/samples/sample.ts'

const declaredTypes: EventTypes = eventTypes

/** Only a reorganization causes them: see `indexer-events.test.ts`. */
const INDEXER_TYPES = ['transfer.reverted']
/**
 * The delivery to webhooks causes them: see `domains/webhooks/delivery.test.ts`. Only its webhook receives a
 * test message.
 */
const DELIVERY_TYPES = ['webhook.disabled', 'webhook.test']
/** No operation and no job changes a field of these records. An operator's statement can. */
const RESERVED_TYPES = ['nft.updated', 'offer.updated']

let gateway: TestGateway
let project: SampleProject
beforeAll(async () => {
  gateway = await testGateway()
  project = await sampleProject(gateway, 'events')
})
afterAll(() => gateway.close())

describe('a job', () => {
  it.each(jobCases.map((each) => [each.source, each.title, each] as const))(
    'the job %s writes the events of %s',
    async (_, __, { types, prepare }) => {
      const run = await prepare(project)
      const events = await recordEvents(gateway, project.projectId, run)
      expect(listTypes(events)).toEqual(types)
      for (const { type, data } of events) {
        const declared = declaredTypes[type]
        expect(declared && v.safeParse(declared.data, data).issues, type).toBeUndefined()
      }
      // The job has nothing left to do.
      expect(await recordEvents(gateway, project.projectId, () => passTimes(gateway.owner.system))).toEqual(
        [],
      )
    },
  )
})

it('a job whose transaction is rolled back writes no event', async () => {
  const cases = jobCases.filter(({ types }) => types.includes('card.expired') || types.includes('order.paid'))
  const runs: (() => Promise<unknown>)[] = []
  for (const { prepare } of cases) runs.push(await prepare(project))
  // Every transaction that changes a card or an order fails when it commits.
  await sql`create function gateway.fail() returns trigger language plpgsql as $$
    begin raise exception 'The commit fails' using errcode = '23514'; end $$`.execute(gateway.owner.system)
  for (const table of ['cards', 'orders']) {
    await sql`create constraint trigger fail after update on ${sql.table(`gateway.${table}`)}
      deferrable initially deferred for each row execute function gateway.fail()`.execute(
      gateway.owner.system,
    )
  }
  const events = await recordEvents(gateway, project.projectId, async () => {
    for (const run of runs) await run().catch(() => {})
  })
  expect(listTypes(events)).toEqual([])
  await sql`drop function gateway.fail() cascade`.execute(gateway.owner.system)
  const later = await recordEvents(gateway, project.projectId, async () => {
    for (const run of runs) await run()
  })
  expect(listTypes(later)).toEqual(expect.arrayContaining(['card.expired', 'order.paid']))
})

it('every type of event is written by an operation or a job', () => {
  const written = new Set([
    ...samples.flatMap(({ operation }) => listEmittedEvents(operation.id)),
    ...jobCases.flatMap(({ types }) => types),
    ...INDEXER_TYPES,
    ...DELIVERY_TYPES,
    ...RESERVED_TYPES,
  ])
  expect(Object.keys(eventTypes).filter((type) => !written.has(type))).toEqual([])
})
