import { randomBytes } from 'node:crypto'
import { type Random, randomFrom } from '@mintmark/devkit/random'
import { runAs } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Db } from '../../database/tables.ts'
import { createCardClient } from '../../testing/cards.ts'
import { recordAudit } from '../../testing/event-streams.ts'
import { type TestGateway, type TestKey, testGateway } from '../../testing/gateway.ts'
import { hashEntry } from './entry-hash.ts'
import { streamEntries, verifyAudit } from './verify-audit.ts'

const SEEDS = Number(process.env.PROPERTY_RUNS ?? 3)
const WORKERS = 5
const STEPS = 12

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway()
})
afterAll(() => gateway.close())

/** What an entry must have. */
interface Expected {
  readonly actor: string
  readonly record: string
  readonly action: string
  /** The name that a card has after the change. Each change has a name of its own. */
  readonly name: string
}

/** A project whose changes are recorded by what makes them. */
interface Recorded {
  readonly project: number
  readonly keys: readonly TestKey[]
  readonly random: Random
  readonly cards: number[]
  readonly expected: Expected[]
}

let names = 0
function newName(): string {
  names += 1
  return `Name ${names}`
}

/** A call by one of the keys. */
async function call({ keys, random, cards, expected }: Recorded): Promise<void> {
  const key = random.pick(keys)
  const client = createCardClient({ ...gateway, key })
  const actor = `key:${key.apiKey}`
  const name = newName()
  if (cards.length === 0 || random.chance(0.3)) {
    const { id } = await client.create('promoCodeCards', { name })
    cards.push(id)
    expected.push({ actor, record: `cards/${id}`, action: 'CREATED', name })
    return
  }
  const id = random.pick(cards)
  const { status } = await client.post('promoCodeCards', '/update', { id, name })
  if (status === 200) expected.push({ actor, record: `cards/${id}`, action: 'UPDATED', name })
}

class Rollback extends Error {}

/**
 * A transaction of a job, a command, a person or the server that changes several rows, some of them several
 * times, and may be rolled back.
 */
async function runTransaction(recorded: Recorded, step: string): Promise<void> {
  const { project, random, cards, expected } = recorded
  const actor = random.pick(['job:orders', 'command:orders resolve (kim)', 'person:7', 'server'])
  const isTenant = random.chance(0.5)
  const db = isTenant ? gateway.database.forProject(project) : gateway.owner.system
  const last = new Map<string, Expected>()
  const work = async (trx: Db) => {
    for (let count = random.integer(4); count >= 0 && cards.length > 0; count -= 1) {
      const id = random.pick(cards)
      const name = newName()
      await trx.updateTable('gateway.cards').set({ name }).where('id', '=', id).execute()
      last.set(`cards/${id}`, { actor, record: `cards/${id}`, action: 'UPDATED', name })
    }
    const fan = `${step} ${randomBytes(4).toString('hex')}`
    const { id } = await trx
      .insertInto('gateway.fans')
      .values({ project_id: project, fan, address: 'wallet' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const isDeleted = random.chance(0.3)
    if (isDeleted) await trx.deleteFrom('gateway.fans').where('id', '=', id).execute()
    const action = isDeleted ? 'DELETED' : 'CREATED'
    last.set(`fans/${id}`, { actor, record: `fans/${id}`, action, name: '' })
    if (random.chance(0.3)) throw new Rollback()
  }
  try {
    const run = () => db.transaction().execute(work)
    await (actor === 'server' ? run() : runAs(actor, run))
  } catch (error) {
    // Of transactions that wait for each other, PostgreSQL ends one.
    if (!(error instanceof Rollback) && !/deadlock/.test(String(error))) throw error
    return
  }
  expected.push(...last.values())
}

/** Makes random changes, while the sequencers of several processes write the log. */
async function makeChanges(seed: number): Promise<Recorded> {
  const project = `audited ${seed}`
  const keys = await Promise.all(['a', 'b', 'c'].map((name) => gateway.newKey({ project, name })))
  const recorded = {
    project: keys[0]?.projectId ?? 0,
    keys,
    random: randomFrom(seed),
    cards: [],
    expected: [],
  }
  let isWriting = true
  const worker = async (number: number) => {
    for (let step = 0; step < STEPS; step += 1) {
      if (recorded.random.chance(0.5)) await call(recorded)
      else await runTransaction(recorded, `${number}/${step}`)
    }
  }
  const sequence = async () => {
    while (isWriting) {
      await recordAudit(gateway)
      await new Promise(setImmediate)
    }
  }
  const workers = Promise.all(Array.from({ length: WORKERS }, (_, number) => worker(number))).finally(() => {
    isWriting = false
  })
  await Promise.all([workers, sequence(), sequence()])
  await recordAudit(gateway)
  return recorded
}

async function listRecorded(project: number): Promise<Expected[]> {
  const { rows } = await sql<Expected>`
    select actor, record_type || '/' || record_id as record, action,
      case record_type when 'cards' then changes -> 'name' ->> 'after' else '' end as name
    from gateway.audit_entries where project_id = ${project} and record_type in ('cards', 'fans')`.execute(
    gateway.owner.system,
  )
  return rows
}

const sorted = (entries: readonly Expected[]) => entries.map((entry) => JSON.stringify({ ...entry })).sort()

const OTHER_HASH = 'f'.repeat(64)
/** Statements that replace one column of the entry `$k`. */
const CHANGED_COLUMNS: readonly (readonly [column: string, value: string])[] = [
  ['id', 'id + 1000'],
  ['occurred_at', `occurred_at + interval '1 microsecond'`],
  ['actor', `actor || 'x'`],
  ['record_type', `record_type || 'x'`],
  ['record_id', `record_id || '1'`],
  ['action', `case action when 'CREATED' then 'UPDATED' else 'CREATED' end`],
  ['changes', `changes::jsonb || '{"name": {"after": "Forged"}}'`],
  ['changes', `'{}'`],
  ['previous_hash', `'\\x${OTHER_HASH}'`],
  ['hash', `'\\x${OTHER_HASH}'`],
]

/** Gives an entry a hash that is right for its new fields. */
async function forge(trx: Db, project: number, id: number): Promise<void> {
  await sql`update gateway.audit_entries set actor = 'nobody' where project_id = ${project} and id = ${id}`.execute(
    trx,
  )
  for await (const entry of streamEntries(trx, project, id, id - 1)) {
    const hash = hashEntry(entry)
    await sql`update gateway.audit_entries set hash = decode(${hash}, 'hex') where project_id = ${project} and id = ${id}`.execute(
      trx,
    )
  }
}

interface Tampering {
  readonly title: string
  /** Statements about the entries of `$project`, of which `$k` is any and `$n` the newest. */
  readonly statements: readonly string[]
  /** Whether the entry `$k` is also changed and has a new hash. */
  readonly isForged?: boolean
  /** Default: any. */
  readonly reason?: RegExp
  /** The first wrong number. Default: `$k`. */
  readonly at?: (entry: number, newest: number) => number
}

const WHERE = 'where project_id = $project'
const TAMPERINGS: readonly Tampering[] = [
  ...CHANGED_COLUMNS.map(([column, value]) => ({
    title: `${column} = ${value}`,
    statements: [`update gateway.audit_entries set ${column} = ${value} ${WHERE} and id = $k`],
  })),
  {
    title: 'an entry is moved to another project',
    statements: [
      `update gateway.audit_entries set id = id + 100000, project_id = (
         select max(h.project_id) from gateway.audit_heads h where h.project_id <> $project) ${WHERE} and id = $k`,
    ],
  },
  {
    title: 'an entry is changed and has a new hash',
    statements: [],
    isForged: true,
    at: (entry, newest) => Math.min(entry + 1, newest),
  },
  {
    title: 'the logs of two projects are swapped',
    statements: [
      ...['audit_entries', 'audit_heads'].flatMap((table) => [
        `update gateway.${table} set project_id = -project_id where project_id in ($project, $rival)`,
        `update gateway.${table} set project_id = case -project_id when $project then $rival else $project end
         where project_id < 0`,
      ]),
    ],
    at: () => 1,
  },
  {
    title: 'an entry is removed',
    statements: [`delete from gateway.audit_entries ${WHERE} and id = $k`],
    reason: /^The entry is missing/,
  },
  {
    title: 'an entry is removed and the later ones move up',
    statements: [
      `delete from gateway.audit_entries ${WHERE} and id = $k`,
      `update gateway.audit_entries set id = id + 100000 ${WHERE} and id > $k`,
      `update gateway.audit_entries set id = id - 100001 ${WHERE} and id > 100000`,
    ],
  },
  {
    title: 'two entries are swapped',
    statements: [
      `update gateway.audit_entries set id = 100000 ${WHERE} and id = $k`,
      `update gateway.audit_entries set id = $k ${WHERE} and id = $other`,
      `update gateway.audit_entries set id = $other ${WHERE} and id = 100000`,
    ],
    at: (entry, newest) => Math.min(entry, otherThan(entry, newest)),
  },
  {
    title: 'an entry is inserted',
    statements: [
      `update gateway.audit_entries set id = id + 100000 ${WHERE} and id >= $k`,
      `update gateway.audit_entries set id = id - 99999 ${WHERE} and id > 100000`,
      `insert into gateway.audit_entries
       select project_id, $k, occurred_at, 'nobody', record_type, record_id, action, changes, previous_hash, hash
       from gateway.audit_entries ${WHERE} and id = $n + 1`,
    ],
  },
  {
    title: 'an entry is there twice',
    statements: [
      `insert into gateway.audit_entries
       select project_id, id, occurred_at, actor, record_type, record_id, action, changes, previous_hash, hash
       from gateway.audit_entries ${WHERE} and id = $k`,
    ],
    at: (entry) => entry + 1,
  },
  {
    title: 'an entry is added',
    statements: [
      `insert into gateway.audit_entries
       select project_id, $n + 1, occurred_at, actor, record_type, record_id, action, changes, hash, '\\x${OTHER_HASH}'
       from gateway.audit_entries ${WHERE} and id = $n`,
    ],
    at: (_, newest) => newest + 1,
  },
  { title: 'the end is removed', statements: [`delete from gateway.audit_entries ${WHERE} and id >= $k`] },
  {
    title: 'all entries are removed',
    statements: [`delete from gateway.audit_entries ${WHERE}`],
    at: () => 1,
  },
  {
    title: 'the head is moved back',
    statements: [`update gateway.audit_heads set sequence = $n - 1 ${WHERE}`],
    at: (_, newest) => newest,
  },
  {
    title: 'the head is moved on',
    statements: [`update gateway.audit_heads set sequence = $n + 1 ${WHERE}`],
    at: (_, newest) => newest + 1,
  },
  {
    title: 'the head has another hash',
    statements: [`update gateway.audit_heads set hash = '\\x${OTHER_HASH}' ${WHERE}`],
    at: (_, newest) => newest,
  },
  {
    title: 'the head is removed',
    statements: [`delete from gateway.audit_heads ${WHERE}`],
    at: () => 1,
  },
]

const otherThan = (entry: number, newest: number) => (entry === newest ? 1 : newest)

/** Tampers with the log, verifies it and undoes the tampering. */
async function verifyTampered(
  project: number,
  { statements, isForged = false }: Tampering,
  { entry, newest }: { entry: number; newest: number },
) {
  const values: Record<string, number> = {
    $project: project,
    $rival: gateway.key.projectId,
    $k: entry,
    $n: newest,
    $other: otherThan(entry, newest),
  }
  let verification: Awaited<ReturnType<typeof verifyAudit>> | undefined
  await gateway.owner.system
    .transaction()
    .execute(async (trx) => {
      for (const statement of statements) {
        const text = statement.replaceAll(/\$\w+/g, (name) => String(values[name]))
        const { numAffectedRows } = await sql.raw(text).execute(trx)
        if (!text.includes('100000')) expect(numAffectedRows, text).not.toBe(0n)
      }
      if (isForged) await forge(trx, project, entry)
      verification = await verifyAudit(trx, project)
      throw new Rollback()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Rollback)) throw error
    })
  return verification
}

describe.each(Array.from({ length: SEEDS }, (_, number) => 4711 + number))('with the seed %i', (seed) => {
  let recorded: Recorded
  beforeAll(async () => {
    recorded = await makeChanges(seed)
  })

  it('every row that a committed transaction changed has exactly one entry, with who changed it', async () => {
    const { project, expected } = recorded
    expect(sorted(await listRecorded(project))).toEqual(sorted(expected))
    expect(new Set(expected.map(({ actor }) => actor)).size).toBeGreaterThan(5)
    expect(await verifyAudit(gateway.owner.system, project)).toMatchObject({
      // The project, its keys and their secrets.
      entries: expected.length + 1 + 2 * recorded.keys.length,
      problem: undefined,
    })
  })

  it.each(TAMPERINGS.map((tampering) => [tampering.title, tampering] as const))(
    'the verification finds the place of what was tampered with: %s',
    async (_, tampering) => {
      const { project, random } = recorded
      const { entries: newest } = await verifyAudit(gateway.owner.system, project)
      for (const entry of new Set([1, 2 + random.integer(newest - 2), newest])) {
        const verification = await verifyTampered(project, tampering, { entry, newest })
        const at = tampering.at?.(entry, newest) ?? entry
        expect(verification?.problem, `entry ${entry} of ${newest}`).toMatchObject({
          sequence: at,
          reason: expect.stringMatching(tampering.reason ?? /./),
        })
        expect(verification?.entries).toBe(at - 1)
      }
    },
  )
})
