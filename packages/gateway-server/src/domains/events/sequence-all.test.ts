import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withoutEvents } from '../../database/event-source.ts'
import { TEST_URL, type TestGateway, testGateway } from '../../testing/gateway.ts'
import { addAuditEntries } from '../audit/add-entries.ts'
import { sequenceAllChanges } from './sequencer.ts'

let gateway: TestGateway
const sources = ['api_keys', 'api_key_secrets', 'fans', 'projects'].map(withoutEvents)
beforeAll(async () => {
  gateway = await testGateway()
  await sequence()
})
afterAll(() => gateway.close())

/** Reports all changes and returns how many there were. */
function sequence(batchSize = 500, reported = sources): Promise<number> {
  const log = { error: (...line: unknown[]) => expect(line).toEqual([]) }
  const db = gateway.owner.system
  return sequenceAllChanges({ db, sources: reported, addAuditEntries, publicUrl: TEST_URL, log, batchSize })
}

let fans = 0
async function addFans(project: number, count: number, db = gateway.owner.system): Promise<void> {
  await sql`insert into gateway.fans (project_id, fan, address)
    select ${project}, 'fan ' || n, 'wallet' from generate_series(${fans}::int + 1, ${fans + count}::int) n`.execute(
    db,
  )
  fans += count
}

async function countWaiting(): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`select count(*)::int as count from gateway.row_changes`.execute(gateway.owner.system)
  return rows[0]?.count ?? 0
}

describe('sequencing all changes', () => {
  it('sequencing all changes reports those of a project with a long backlog beside projects with one change each', async () => {
    const quiet = await Promise.all(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((project) => gateway.newKey({ project })),
    )
    await sequence()
    await addFans(gateway.key.projectId, 47)
    for (const { projectId } of quiet) await addFans(projectId, 1)
    expect(await sequence(10)).toBe(53)
    expect(await countWaiting()).toBe(0)
  })

  it.each([3, 500])(
    'sequencing all changes reports those of more projects than a batch of %i has changes',
    async (batchSize) => {
      const names = ['g', 'h', 'i', 'j', 'k', 'l', 'm']
      const many = await Promise.all(names.map((project) => gateway.newKey({ project })))
      await sequence()
      for (const { projectId } of many) await addFans(projectId, 2)
      expect(await sequence(batchSize)).toBe(14)
      expect(await countWaiting()).toBe(0)
    },
  )

  it('sequencing all changes ends although changes are made all the time, and leaves the newest for the next call', async () => {
    let batches = 0
    const busy = {
      table: 'fans',
      async toEvents() {
        batches += 1
        if (batches <= 5)
          await addFans(gateway.key.projectId, 1, gateway.database.forProject(gateway.key.projectId))
        return []
      },
    }
    await addFans(gateway.key.projectId, 1)
    expect(await sequence(500, [busy])).toBe(1)
    expect(await countWaiting()).toBe(1)
  })
})
