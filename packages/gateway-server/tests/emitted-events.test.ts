import { eventTypes } from '@mintmark/events'
import type { EventTypes } from '@mintmark/operation'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CAPTURED_TABLES } from '../src/database/row-changes.ts'
import { eventSources } from '../src/main/composition.ts'
import { listEmittedEvents } from '../src/testing/emitted-events.ts'
import { listTypes, type RecordedEvent, recordEvents } from '../src/testing/event-cases/event-recorder.ts'
import { operationCases } from '../src/testing/event-cases/operation-cases.ts'
import { type TestGateway, testGateway } from '../src/testing/gateway.ts'
import { type Input, rawCallOf, sampleProject } from '../src/testing/samples/calls.ts'
import { samples } from '../src/testing/samples/index.ts'
import type { SampleProject } from '../src/testing/samples/sample.ts'

const declaredTypes: EventTypes = eventTypes

let gateway: TestGateway
let project: SampleProject
beforeAll(async () => {
  gateway = await testGateway()
  project = await sampleProject(gateway, 'events')
})
afterAll(() => gateway.close())

/** Runs work and returns the events of its changes, whose data must have the declared form. */
async function recordValid(work: () => Promise<unknown>): Promise<RecordedEvent[]> {
  const events = await recordEvents(gateway, project.projectId, work)
  for (const { type, data } of events) {
    const declared = declaredTypes[type]
    expect(declared, `${type} is not declared`).toBeDefined()
    if (declared) expect(v.safeParse(declared.data, data).issues, type).toBeUndefined()
  }
  return events
}

it('every table whose changes are stored has a source of events', () => {
  const people = ['people', 'people_accounts', 'people_passkeys', 'people_second_factors']
  const ofServer = ['operator_invitations', ...people, 'session_ends']
  const others = ['api_key_secrets', 'chain_transfers', 'minter_keys', 'projects', 'wallet_info', ...ofServer]
  const tables = [...Object.keys(CAPTURED_TABLES), ...others]
  expect(eventSources.map(({ table }) => table).sort()).toEqual(tables.sort())
})

describe.each(samples.map((each) => [each.operation.id, each] as const))('%s', (id, { operation, input }) => {
  it('writes the events that it declares and no others', async () => {
    const sent = (await input(project)) as Input
    const events = await recordValid(async () => {
      const { status, text } = await project.key.call(rawCallOf(operation, sent))
      expect(status, text).toBe(200)
    })
    const others = operationCases.filter(({ source }) => source === id).flatMap(({ types }) => types)
    const all = new Set([...listTypes(events), ...others])
    expect([...all].sort()).toEqual([...listEmittedEvents(id)].sort())
  })
})

describe('a call whose events depend on what it finds', () => {
  it.each(operationCases.map((each) => [each.source, each.title, each] as const))(
    'a call of %s writes the events of %s',
    async (_, __, { types, prepare }) => {
      const call = await prepare(project)
      expect(listTypes(await recordValid(call))).toEqual(types)
    },
  )
})
