import { openGatewayDatabase } from '../database/database.ts'
import { verifyAudit } from '../domains/audit/verify-audit.ts'
import { sequenceEvents } from '../testing/event-streams.ts'
import { createGatewayDatabase, testGateway } from '../testing/gateway.ts'
import { type Input, rawCallOf, sampleProject } from '../testing/samples/calls.ts'
import { samples } from '../testing/samples/index.ts'
import type pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { holdProject, releaseProject } from './hold-project.ts'
import { moveProject } from './move-project.ts'
import { readTables } from './tables.ts'

async function createCells() {
  const gateway = await testGateway()
  onTestFinished(() => gateway.close())
  const place = await createGatewayDatabase()
  onTestFinished(() => place.drop())
  const other = openGatewayDatabase({ url: place.url, max: 2 })
  onTestFinished(() => other.close())
  return { gateway, other }
}

/** Reads all rows of a project, by their tables. */
async function readRows(pool: pg.Pool, project: number) {
  const client = await pool.connect()
  const rows: Record<string, string[]> = {}
  for (const { name, isOfProjects } of await readTables(client))
    if (isOfProjects)
      rows[name] = (
        await client.query<{ row: string }>(
          `select t::text as row from ${name} t where project_id = ${project} order by 1`,
        )
      ).rows.map(({ row }) => row)
  client.release()
  return rows
}

it('a moved project has all rows of every table in the other cell, and its keys alone in this one', async () => {
  const { gateway, other } = await createCells()
  const project = await sampleProject(gateway, 'moved')
  const stays = await sampleProject(gateway, 'stays')
  for (const { operation, input } of samples)
    for (const each of [project, stays]) {
      const { status, text } = await each.key.call(rawCallOf(operation, (await input(each)) as Input))
      expect(status, text).toBe(200)
    }
  await sequenceEvents(gateway)
  const before = await readRows(gateway.owner.pool, project.projectId)
  const ofOther = await readRows(gateway.owner.pool, stays.projectId)
  console.log(Object.entries(before).filter(([, rows]) => rows.length === 0).map(([name]) => name).join())
  const lines: string[] = []
  const started = performance.now()
  await moveProject({
    project: project.projectId,
    cell: 'b',
    source: gateway.owner.pool,
    target: other.pool,
    log: (line) => void lines.push(`${Math.round(performance.now() - started)} ${line}`),
  })
  console.log(lines.join('\n'))
  expect(await readRows(other.pool, project.projectId)).toEqual(before)
  expect(await readRows(gateway.owner.pool, stays.projectId)).toEqual(ofOther)
  const left = Object.entries(await readRows(gateway.owner.pool, project.projectId))
  expect(left.filter(([, rows]) => rows.length > 0).map(([name]) => name)).toEqual([
    'gateway.api_key_secrets',
    'gateway.api_keys',
    'gateway.publishable_keys',
  ])
  const { problem, entries } = await verifyAudit(other.system, project.projectId)
  expect(problem).toBeUndefined()
  expect(entries).toBeGreaterThan(100)
})
