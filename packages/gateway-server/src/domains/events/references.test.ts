import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listEmittedEvents } from '../../testing/emitted-events.ts'
import { recordEvents } from '../../testing/event-cases/event-recorder.ts'
import { type TestGateway, testGateway } from '../../testing/gateway.ts'
import { type Input, rawCallOf, sampleProject } from '../../testing/samples/calls.ts'
import { samples } from '../../testing/samples/index.ts'
import type { SampleProject } from '../../testing/samples/sample.ts'

let gateway: TestGateway
let project: SampleProject
beforeAll(async () => {
  gateway = await testGateway()
  project = await sampleProject(gateway, 'references')
})
afterAll(() => gateway.close())

/**
 * The samples of operations that store a reference and emit events. Lists have a reference in their query
 * instead.
 */
const storing = samples.filter(
  ({ operation }) => 'reference' in (operation.body ?? {}) && listEmittedEvents(operation.id).length > 0,
)

it('no event contains the reference that a caller sets, of any table with references', async () => {
  for (const { operation, input } of storing) {
    const { id } = operation
    const reference = `reference of ${id}`
    const prepared: Input = { ...((await input(project)) as Input), reference }
    const events = await recordEvents(gateway, project.projectId, async () => {
      const { status, text } = await project.key.call(rawCallOf(operation, prepared))
      expect(status, text).toBe(200)
      // The caller sees it, so it was stored.
      expect(text, id).toContain(reference)
    })
    expect(events, id).not.toEqual([])
    expect(JSON.stringify(events), id).not.toContain(reference)
    expect(JSON.stringify(events), id).not.toContain('"reference"')
  }
  const [used, all] = await listTables()
  expect(used).toEqual(all)
})

/** Lists the tables in which this project has a reference, and the tables that have the column. */
async function listTables(): Promise<[used: string[], all: string[]]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = 'gateway' and column_name = 'reference' order by 1`.execute(gateway.owner.system)
  const all = rows.map(({ name }) => name)
  const used: string[] = []
  for (const name of all) {
    const found = await sql`
      select from ${sql.id('gateway', name)} where project_id = ${project.projectId} and reference <> '' limit 1`.execute(
      gateway.owner.system,
    )
    if (found.rows.length > 0) used.push(name)
  }
  return [used, all]
}
