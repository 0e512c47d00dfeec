import { captureCommand } from '@mintmark/devkit/command-output'
import { createMetrics, runCommandLine } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { EventSource } from '../database/event-source.ts'
import { addAuditEntries } from '../domains/audit/add-entries.ts'
import { addEventGauges, type ReportingProblem } from '../domains/events/problems.ts'
import { sequenceAllChanges } from '../domains/events/sequencer.ts'
import { eventSources } from '../main/composition.ts'
import { createCardClient } from '../testing/cards.ts'
import { TEST_URL, type TestGateway, testGateway } from '../testing/gateway.ts'
import { eventCommands } from './events.ts'

let gateway: TestGateway
let cards: ReturnType<typeof createCardClient>
beforeAll(async () => {
  gateway = await testGateway()
  cards = createCardClient(gateway)
})
afterAll(() => gateway.close())

/** Runs a command as from a shell. */
const run = (...args: string[]) => {
  const environment = { DATABASE_URL: gateway.url, SECRET_KEYS: gateway.secretKeys }
  return captureCommand(environment, () =>
    runCommandLine({ program: 'mintmark-gateway', version: '0' }, eventCommands, args),
  )
}

async function listProblems(): Promise<ReportingProblem[]> {
  return JSON.parse((await run('events', 'problems')).out)
}

const logged: unknown[] = []

async function sequence(sources: readonly EventSource[] = eventSources): Promise<void> {
  const log = { error: (fields: unknown) => void logged.push(fields) }
  await sequenceAllChanges({ db: gateway.owner.system, sources, addAuditEntries, publicUrl: TEST_URL, log })
}

async function listTypes(subject: string): Promise<string[]> {
  const { rows } = await sql<{ type: string }>`
    select type from gateway.events where subject = ${subject} order by sequence`.execute(
    gateway.owner.system,
  )
  return rows.map(({ type }) => type)
}

/** Replaces the source of a table. */
const replaceSource = (table: string, toEvents: EventSource['toEvents']): EventSource[] =>
  eventSources.map((source) => (source.table === table ? { table, toEvents } : source))

const failing = replaceSource('cards', () => {
  throw new Error('The record has an unknown field')
})

async function readMetrics(): Promise<string> {
  const metrics = createMetrics('mintmark_gateway', {
    warn: (...line: unknown[]) => expect.fail(String(line)),
  })
  addEventGauges(metrics, gateway.owner)
  return await metrics.registry.metrics()
}

it('lists changes that could not be reported, and reports them again on request', async () => {
  await sequence()
  const { id } = await cards.create('promoCodeCards', { totalIssued: 5 })
  const other = await cards.create('eventCards')
  expect(await readMetrics()).toContain(
    `oldest_unreported_change_seconds{project="${gateway.key.projectId}"}`,
  )
  await sequence(failing)
  expect(logged).toHaveLength(2)
  expect(logged[0]).toMatchObject({ alert: 'events', projectId: gateway.key.projectId, table: 'cards' })

  const problems = await listProblems()
  const { projectId } = gateway.key
  const problem = 'The record has an unknown field'
  expect(problems).toMatchObject([
    { projectId, table: 'cards', row: String(id), problem },
    { projectId, table: 'cards', row: String(other.id), problem },
  ])
  expect(await readMetrics()).toContain('mintmark_gateway_event_problems{table="cards"} 2')
  expect(await readMetrics()).not.toContain('oldest_unreported_change_seconds{')

  const { out } = await run('events', 'retry', '--change', String(problems[0]?.change))
  expect(JSON.parse(out)).toEqual({ retried: 1 })
  await sequence()
  expect(await listTypes(`card/${id}`)).toEqual(['card.created'])
  expect(await listTypes(`card/${other.id}`)).toEqual([])
  expect(JSON.parse((await run('events', 'retry', '--project', '999')).out)).toEqual({ retried: 0 })
  expect(JSON.parse((await run('events', 'retry', '--project', String(projectId))).out)).toEqual({
    retried: 1,
  })
  await sequence()
  expect(await listTypes(`card/${other.id}`)).toEqual(['card.created'])
  expect(await listProblems()).toEqual([])
  expect(await readMetrics()).not.toContain('event_problems{')
})

it('reports all that a transaction changed of a record when it is retried', async () => {
  const { id } = await cards.create('membershipCards')
  await sequence()
  await gateway.owner.system.transaction().execute(async (trx) => {
    await trx.updateTable('gateway.cards').set({ deleted: true }).where('id', '=', id).execute()
    await trx.updateTable('gateway.cards').set({ name: 'Other' }).where('id', '=', id).execute()
  })
  await sequence(failing)
  expect(await listProblems()).toHaveLength(2)
  expect(JSON.parse((await run('events', 'retry')).out)).toEqual({ retried: 2 })
  await sequence()
  expect(await listTypes(`card/${id}`)).toEqual(['card.created', 'card.removed'])
})

it('keeps a change whose report fails in the database, and reports the others', async () => {
  const { id } = await cards.create('promoCodeCards')
  await sequence()
  await gateway.owner.system
    .updateTable('gateway.cards')
    .set({ name: 'Poison' })
    .where('id', '=', id)
    .execute()
  const other = await cards.create('promoCodeCards')
  const cardSource = eventSources.find(({ table }) => table === 'cards')
  const poisoned = replaceSource('cards', async (change, context) => {
    const { after } = change as { after?: { name: string } }
    if (after?.name === 'Poison') await sql`select 1 / 0`.execute(context.tenant)
    return (await cardSource?.toEvents(change, context)) ?? []
  })
  await sequence(poisoned)
  expect(await listTypes(`card/${other.id}`)).toEqual(['card.created'])
  expect(await listProblems()).toMatchObject([{ row: String(id), problem: 'division by zero' }])
  await run('events', 'retry')
  await sequence()
  expect(await listTypes(`card/${id}`)).toEqual(['card.created', 'card.updated'])
})

it.each([
  [['events', 'retry', '--project', 'shop'], '--project: expected an id'],
  [['events', 'retry', '--change', '-1'], '--change'],
])('refuses the arguments %j', async (args, message) => {
  const { status, error } = await run(...args)
  expect(status).toBe(2)
  expect(error).toContain(message)
})
