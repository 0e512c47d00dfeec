import { captureCommand } from '@mintmark/devkit/command-output'
import { runCommandLine } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashEntry } from '../domains/audit/entry-hash.ts'
import { readBounds, streamEntries } from '../domains/audit/verify-audit.ts'
import { recordAudit } from '../testing/event-streams.ts'
import { type TestGateway, testGateway } from '../testing/gateway.ts'
import { gatewayCommands } from './commands.ts'

let gateway: TestGateway
let projects = 0
beforeAll(async () => {
  gateway = await testGateway()
})
afterAll(() => gateway.close())

/** Runs a command as from a shell. */
const run = (...args: string[]) => {
  const environment = { DATABASE_URL: gateway.url, SECRET_KEYS: gateway.secretKeys }
  return captureCommand(environment, () =>
    runCommandLine({ program: 'mintmark-gateway', version: '0' }, gatewayCommands, args),
  )
}

/** Creates a project with a log. */
async function createLog(): Promise<number> {
  projects += 1
  const { projectId } = await gateway.newKey({ project: `logged ${projects}` })
  await addFans(projectId, 10)
  return projectId
}

async function addFans(project: number, count: number): Promise<void> {
  await sql`insert into gateway.fans (project_id, fan, address)
    select ${project}, gen_random_uuid(), 'wallet' from generate_series(1, ${count}::int)`.execute(
    gateway.owner.system,
  )
  await recordAudit(gateway)
}

/** Replaces an entry and the hashes of all later ones, as an attacker with the rights of the owner can. */
async function rewrite(project: number, from: number): Promise<void> {
  const db = gateway.owner.system
  const { newest } = await readBounds(db, project)
  let previousHash = ''
  for await (const entry of streamEntries(db, project, newest)) {
    const actor = entry.sequence === from ? 'nobody' : entry.actor
    const hash = hashEntry({ ...entry, actor, previousHash })
    await sql`update gateway.audit_entries set actor = ${actor}, previous_hash = decode(${previousHash}, 'hex'), hash = decode(${hash}, 'hex')
      where project_id = ${project} and id = ${entry.sequence}`.execute(db)
    previousHash = hash
  }
  await sql`update gateway.audit_heads set hash = decode(${previousHash}, 'hex') where project_id = ${project}`.execute(
    db,
  )
}

/** Verifies a log that is intact and returns the place that the command prints. */
async function readHead(project: number): Promise<string> {
  const { out, status } = await run('audit', 'verify', '--project', String(project))
  expect(status, out).toBe(0)
  return /(\d+:[0-9a-f]{64})\n$/.exec(out)?.[1] ?? expect.fail(out)
}

it('audit verify prints a sentence for each project, with the number and the hash of its newest entry', async () => {
  const project = await createLog()
  const { status, out, error } = await run('audit', 'verify')
  expect(error).toBe('')
  expect(status).toBe(0)
  expect(out).toMatch(
    new RegExp(`^Project ${project}: all 13 entries are intact, up to 13:[0-9a-f]{64}$`, 'm'),
  )
  expect(out.trim().split('\n').length).toBeGreaterThan(1)
})

it('audit verify names the first wrong entry, and has the exit status 1', async () => {
  const project = await createLog()
  const db = gateway.owner.system
  await sql`update gateway.audit_entries set actor = 'nobody' where project_id = ${project} and id in (5, 7)`.execute(
    db,
  )
  const { status, out, error } = await run('audit', 'verify')
  expect(status).toBe(1)
  expect(out).toContain(`Project ${project}: entry 5 is wrong. The entry was changed`)
  expect(out).toContain('entries are intact')
  expect(error).toMatch(/1 of \d+ audit logs is not intact/)
  await sql`delete from gateway.audit_entries where project_id = ${project}`.execute(db)
  await sql`delete from gateway.audit_heads where project_id = ${project}`.execute(db)
  expect((await run('audit', 'verify', '--project', String(project))).out).toBe(
    `Project ${project}: the log is empty.\n`,
  )
})

it('audit verify with --expect notices a log that was rewritten with new hashes, and one whose end was removed', async () => {
  const project = await createLog()
  const head = await readHead(project)
  await addFans(project, 3)
  const verify = (expected = head) =>
    run('audit', 'verify', '--project', String(project), '--expect', expected)
  expect(await verify()).toMatchObject({ status: 0 })

  await rewrite(project, 4)
  expect(await readHead(project)).not.toBe(head)
  expect(await verify()).toMatchObject({ status: 1, out: expect.stringContaining('entry 13 is wrong') })

  const removed = await createLog()
  const kept = await readHead(removed)
  const db = gateway.owner.system
  await sql`delete from gateway.audit_entries where project_id = ${removed} and id > 12`.execute(db)
  await sql`update gateway.audit_heads h set sequence = 12, hash = e.hash from gateway.audit_entries e
      where e.project_id = ${removed} and e.id = 12 and h.project_id = e.project_id`.execute(db)
  expect(await readHead(removed)).toMatch(/^12:/)
  const { status, out } = await run('audit', 'verify', '--project', String(removed), '--expect', kept)
  expect({ status, out }).toEqual({
    status: 1,
    out: `Project ${removed}: entry 13 is wrong. The entry is missing. The number 13 is expected.\n`,
  })
})

it.each([
  [['--expect', `1:${'0'.repeat(64)}`], '--expect: expected with --project only'],
  [['--project', 'shop'], '--project: expected a number'],
  [['--project', '1', '--expect', '12'], '--expect: expected the number and the hash'],
])('audit verify refuses %j', async (args, message) => {
  const { status, error } = await run('audit', 'verify', ...args)
  expect(status).toBe(2)
  expect(error).toContain(message)
})

describe('audit list and audit export', () => {
  it('audit list and audit export lists the newest changes first, by actor, record and action', async () => {
    const project = await createLog()
    const list = async (...args: string[]): Promise<{ sequence: number; recordType: string }[]> =>
      JSON.parse((await run('audit', 'list', '--project', String(project), ...args)).out)
    const all = await list()
    expect(all.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 13 }, (_, at) => 13 - at))
    const [newest] = await list('--type', 'fans', '--action', 'CREATED', '--changed-by', 'server')
    expect(newest).toEqual(all[0])
    expect(await list('--type', 'fans', '--record', '0')).toEqual([])
    expect(await list('--type', 'projects')).toMatchObject([
      { recordType: 'projects', recordId: String(project) },
    ])
    expect((await run('audit', 'list', '--project', '1', '--action', 'READ')).status).toBe(2)
  })

  it('audit list and audit export exports every entry once, in order, from which the hashes can be computed again', async () => {
    const project = await createLog()
    await addFans(project, 2500)
    const { out, status } = await run('audit', 'export', '--project', String(project))
    expect(status).toBe(0)
    const lines = out.trim().split('\n')
    const entries = lines.map((line) => JSON.parse(line))
    expect(entries.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 2513 }, (_, at) => at + 1))
    for (const [at, entry] of entries.entries()) {
      const [, changes] = /,"changes":(.*)}$/.exec(lines[at] ?? '') ?? []
      expect(hashEntry({ ...entry, changes })).toBe(entry.hash)
      expect(entry.previousHash).toBe(entries[at - 1]?.hash ?? '')
    }
    const { out: end } = await run('audit', 'export', '--project', String(project), '--after', '2510')
    expect(end).toBe(`${lines.slice(2510).join('\n')}\n`)
  })
})

it('the changes of a command have its name, and the operator that it names', async () => {
  const { out } = await run('keys', 'create', '--project', 'commanded', '--name', 'backend')
  const { projectId, apiKey } = JSON.parse(out)
  await run('keys', 'revoke', apiKey)
  await recordAudit(gateway)
  const entries = JSON.parse((await run('audit', 'list', '--project', String(projectId))).out)
  expect(entries.map(({ actor, action }: Record<string, string>) => [actor, action])).toEqual([
    ['command:keys revoke', 'UPDATED'],
    ['command:keys create', 'UPDATED'],
    ['command:keys create', 'CREATED'],
    ['command:keys create', 'CREATED'],
  ])
})
