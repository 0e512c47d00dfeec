import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { captureCommand } from '@mintmark/devkit/command-output'
import { runCommandLine } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { AUDIT_ENTRIES, createPartitions } from '../database/partitions.ts'
import { recordAudit } from '../testing/event-streams.ts'
import { type TestGateway, testGateway } from '../testing/gateway.ts'
import { gatewayCommands } from './commands.ts'

let gateway: TestGateway
let projects = 0
const folder = mkdtempSync(join(tmpdir(), 'mintmark-archive-'))
let file: string
beforeAll(async () => {
  gateway = await testGateway()
})
afterAll(async () => {
  await gateway.close()
  rmSync(folder, { recursive: true })
})
beforeEach(async () => {
  await createPartitions(gateway.owner.pool, AUDIT_ENTRIES, Date.UTC(2020, 2, 1))
  projects += 1
  file = join(folder, `${projects}.jsonl`)
})

/** Runs a command as from a shell. */
const run = (...args: string[]) =>
  captureCommand({ DATABASE_URL: gateway.url, SECRET_KEYS: gateway.secretKeys }, () =>
    runCommandLine({ program: 'mintmark-gateway', version: '0' }, gatewayCommands, args),
  )
const archive = (before = '2020-04-20') => run('audit', 'archive', '--before', before, '--to', file)
const verify = (project: number, ...args: string[]) =>
  run('audit', 'verify', '--project', String(project), ...args)

/** Creates a project with 13 entries. The first of them were recorded at these times. */
async function createLog(...times: string[]): Promise<number> {
  const { projectId } = await gateway.newKey({ project: `archived ${projects}` })
  await sql`insert into gateway.fans (project_id, fan, address)
    select ${projectId}, gen_random_uuid(), 'wallet' from generate_series(1, 10)`.execute(
    gateway.owner.system,
  )
  await recordAudit(gateway)
  await sql`update gateway.audit_entries set recorded_at = time
    from unnest(${times}::timestamptz[]) with ordinality as t (time, n)
    where project_id = ${projectId} and id = n`.execute(gateway.owner.system)
  return projectId
}

async function listStored(project: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from gateway.audit_entries where project_id = ${project} order by id`.execute(
    gateway.owner.system,
  )
  return rows.map(({ id }) => id)
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)
const APRIL = '2020-04-01T00:00:00Z'
const MARCH = ['2020-03-01T00:00:00Z', '2020-03-31T23:59:59.999999Z']

it('audit archive moves the entries of past months to a file, and both parts verify together', async () => {
  const project = await createLog(...MARCH, APRIL)
  const { out: exported } = await run('audit', 'export', '--project', String(project))
  const { out, status } = await archive()
  expect(status).toBe(0)
  expect(out).toMatch(
    new RegExp(`^Project ${project}: the entries 1 to 2 are archived, up to 2:[0-9a-f]{64}$`, 'm'),
  )
  // An entry at the begin of the month stays.
  expect(await listStored(project)).toEqual(range(3, 13))
  expect(readFileSync(file, 'utf8')).toBe(exported.split('\n').slice(0, 2).join('\n').concat('\n'))
  expect((await verify(project)).out).toContain(
    `Project ${project}: all 11 entries after 2 are intact, up to 13:`,
  )
  const together = await verify(project, '--archive', file)
  expect(together.out).toContain(`Project ${project}: all 13 entries after 0 are intact, up to 13:`)
  expect(JSON.parse((await run('audit', 'list', '--project', String(project))).out)).toHaveLength(11)
})

it('audit archive continues earlier archives, whose files verify one after the other', async () => {
  const project = await createLog('2020-02-01T00:00:00Z', ...MARCH, APRIL)
  await archive('2020-03-31')
  const first = readFileSync(file, 'utf8')
  file = `${file}.second`
  const { out } = await archive()
  expect(out).toContain(`Project ${project}: the entries 2 to 3 are archived, up to 3:`)
  expect((await verify(project, '--archive', file)).out).toContain('all 12 entries after 1 are intact')
  const all = `${file}.all`
  writeFileSync(all, first + readFileSync(file, 'utf8'))
  expect((await verify(project, '--archive', all)).out).toContain('all 13 entries after 0 are intact')
  writeFileSync(all, first)
  expect(await verify(project, '--archive', all)).toMatchObject({
    status: 1,
    out: expect.stringMatching(
      /entry 3 is wrong. The log was archived up to 3:.*, and the archive ends at 1:/,
    ),
  })
})

it('audit archive that was killed before the end of the file, before the drop or after it can be run again', async () => {
  const project = await createLog(...MARCH)
  writeFileSync(`${file}.partial`, 'incomplete')
  const reader = await gateway.owner.pool.connect()
  await reader.query('begin; lock table gateway.audit_entries in access share mode')
  const prevented = await archive()
  expect(prevented).toMatchObject({ status: 1, error: expect.stringContaining('lock timeout') })
  expect(await listStored(project)).toEqual(range(1, 13))
  await reader.query('rollback')
  reader.release()

  const written = readFileSync(file, 'utf8')
  expect((await archive()).out).toContain(`Project ${project}: the entries 1 to 2 are archived`)
  expect(await listStored(project)).toEqual(range(3, 13))
  expect((await archive()).out).toBe('No entries were recorded before 2020-04-01.\n')
  expect(readFileSync(file, 'utf8')).toBe(written)
  expect((await verify(project, '--archive', file)).status).toBe(0)
})

it('audit archive drops no entry that its file lacks or has otherwise, and verify names the wrong line', async () => {
  const project = await createLog(...MARCH, '2020-03-31T00:00:00Z')
  const { out } = await run('audit', 'export', '--project', String(project))
  const lines = out.split('\n').slice(0, 3)
  const [first = '', second = '', third = ''] = lines
  const refuses = async (text: string, message: string) => {
    writeFileSync(file, text)
    const { status, error } = await archive()
    expect(error).toContain(message)
    expect(status).toBe(1)
    expect(await listStored(project)).toEqual(range(1, 13))
  }
  await refuses(lines.join('\n').replace('"actor":"', '"actor":"x'), 'line 1: The entry was changed')
  await refuses(`${first}\n${third}\n`, 'line 2: The entry is missing')
  await refuses(`${first}\n${first}\n`, 'line 2: Another entry with the number 1 was inserted')
  await refuses(`${first}\n${second.slice(0, -9)}`, 'line 2: The line is not that of an entry')
  await refuses(`${first.replace('{', '{"actor":"x",')}\n`, 'line 1: The line is not that of an entry')
  await refuses(`${first}\n${second}\n`, 'does not have exactly the entries that would be dropped')
  await refuses(`${second}\n${third}\n`, 'does not have exactly the entries that would be dropped')
  await refuses(out, 'does not have exactly the entries that would be dropped')

  writeFileSync(file, `${lines.join('\n')}\n`)
  expect((await archive()).status).toBe(0)
  writeFileSync(file, lines.join('\n').replace('"action":"', '"action":"x'))
  const { status, error } = await verify(project, '--archive', file)
  expect({ status, error }).toEqual({
    status: 1,
    error: expect.stringContaining('line 1: The entry was changed'),
  })
})

it('audit archive keeps the log without gaps when the clock has jumped', async () => {
  const project = await createLog(
    '2031-01-01T00:00:00Z',
    MARCH[0] ?? '',
    '1980-01-01T00:00:00Z',
    APRIL,
    MARCH[1] ?? '',
  )
  expect((await archive()).out).toContain(`Project ${project}: the entries 1 to 5 are archived`)
  expect(await listStored(project)).toEqual(range(6, 13))
  expect((await verify(project, '--archive', file)).status).toBe(0)
})

it('audit verify compares an archived entry with --expect only together with its archive', async () => {
  const project = await createLog(...MARCH)
  await archive()
  const [first, second] = readFileSync(file, 'utf8').split('\n')
  const heads = [first, second].map(
    (line) => `${JSON.parse(line ?? '').sequence}:${JSON.parse(line ?? '').hash}`,
  )
  const other = `2:${'0'.repeat(64)}`
  const expectHead = async (head = '', ...args: string[]) => {
    const { status, out, error } = await verify(project, '--expect', head, ...args)
    return [status, /The [^.]*(?:archived, so|rewritten)/.exec(out + error)?.[0]]
  }
  expect(await expectHead(heads[0])).toEqual([1, 'The entry is archived, so'])
  expect(await expectHead(heads[0], '--archive', file)).toEqual([0, undefined])
  expect(await expectHead(heads[1])).toEqual([0, undefined])
  expect(await expectHead(other)).toEqual([1, 'The log was rewritten'])
  expect(await expectHead(other, '--archive', file)).toEqual([1, 'The log was rewritten'])
})

it.each(['2999-01-01', '2020-13-01', 'yesterday'])('audit archive refuses --before %s', async (date) => {
  const { status, error } = await archive(date)
  expect(error).toContain('--before: expected a date that is not in the future')
  expect(status).toBe(2)
})
