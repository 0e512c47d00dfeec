import { eventCards, membershipCards, promoCodeCards } from '@mintmark/cards'
import { eventTypes } from '@mintmark/events'
import type { EventTypes } from '@mintmark/operation'
import { follows } from '@mintmark/wallet'
import { sql } from 'kysely'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventSources } from './composition.ts'
import { sequenceChanges } from './domains/events/sequencer.ts'
import { CAPTURED_TABLES } from './migrations/row-changes.ts'
import { TEST_URL, type TestGateway, testGateway } from './testing/gateway.ts'
import { type Input, rawCallOf, sampleProject } from './testing/samples/calls.ts'
import { samples } from './testing/samples/index.ts'
import { newAddress, type SampleProject } from './testing/samples/sample.ts'

const declaredTypes: EventTypes = eventTypes

let gateway: TestGateway
let project: SampleProject
beforeAll(async () => {
  gateway = await testGateway()
  project = await sampleProject(gateway, 'events')
})
afterAll(() => gateway.close())

interface EventRow {
  readonly sequence: number
  readonly type: string
  readonly data: unknown
}

/** Declared events that the samples do not cause, by operation. The cases below cause them. */
const OTHER_CASES: Readonly<Record<string, readonly string[]>> = {
  'promoCodeCards.createVerification': ['verification.refused'],
  'eventCards.createVerification': ['verification.refused'],
  'membershipCards.createVerification': ['verification.refused'],
  'follows.add': ['follow.removed'],
}

/** Runs work and returns the events of its changes. */
async function eventsOf(work: () => Promise<unknown>): Promise<EventRow[]> {
  const earlier = await sequenceAll()
  await work()
  await sequenceAll()
  const { rows } = await sql<EventRow>`
    select sequence, type, data from gateway.events
    where project_id = ${project.projectId} and sequence > ${earlier} order by sequence`.execute(
    gateway.owner.system,
  )
  return rows
}

/** Numbers all events and returns the newest number of the project. */
async function sequenceAll(): Promise<number> {
  const log = {
    error: (fields: { err?: unknown }) => {
      throw fields.err
    },
  }
  const db = gateway.owner.system
  while ((await sequenceChanges({ db, sources: eventSources, publicUrl: TEST_URL, log })) > 0);
  const { rows } = await sql<{ newest: number }>`
    select newest from gateway.event_counts where project_id = ${project.projectId}`.execute(db)
  return rows[0]?.newest ?? 0
}

it('every table whose changes are stored has a source of events', () => {
  const tables = [...Object.keys(CAPTURED_TABLES), 'wallet_info']
  expect(eventSources.map(({ table }) => table).sort()).toEqual(tables.sort())
})

describe.each(samples.map((each) => [each.operation.id, each] as const))('%s', (_, { operation, input }) => {
  it('writes the events that it declares and no others', async () => {
    const sent = (await input(project)) as Input
    const events = await eventsOf(async () => {
      const { status, text } = await project.key.call(rawCallOf(operation, sent))
      expect(status, text).toBe(200)
    })
    for (const { type, data } of events) {
      const declared = declaredTypes[type]
      expect(declared, `${type} is not declared`).toBeDefined()
      if (declared) expect(v.safeParse(declared.data, data).issues, type).toBeUndefined()
    }
    const types = new Set(events.map(({ type }) => type))
    const others = OTHER_CASES[operation.id] ?? []
    expect([...types, ...others].sort()).toEqual([...(operation.emits ?? [])].sort())
  })
})

describe('other cases', () => {
  it.each([promoCodeCards, eventCards, membershipCards])(
    'a refused verification is reported',
    async (group) => {
      const verification = { id: 999_999_999, action: 'CHECK_IN' as const, nonce: crypto.randomUUID() }
      const input = group === promoCodeCards ? { ...verification, action: 'REDEEM' as const } : verification
      const events = await eventsOf(async () => {
        const { status } = await project.key.call(rawCallOf(group.createVerification, input))
        expect(status).toBe(200)
      })
      expect(events.map(({ type }) => type)).toEqual(['verification.refused'])
    },
  )

  it('the end of a follow is reported', async () => {
    const input = { address: newAddress(), nftAddress: newAddress() }
    await follows.add(project.client, input)
    const events = await eventsOf(() => follows.add(project.client, { ...input, following: false }))
    expect(events.map(({ type }) => type)).toEqual(['follow.removed'])
  })
})
