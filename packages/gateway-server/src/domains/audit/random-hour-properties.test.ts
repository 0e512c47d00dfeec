// An hour of random use by people of every role, keys, a job and commands: the log has each change once, and
// the command finds each tampering.
import { apiKeys, audit, Role, session } from '@mintmark/admin'
import { promoCodeCards } from '@mintmark/cards'
import { captureCommand } from '@mintmark/devkit/command-output'
import { type Random, randomFrom } from '@mintmark/devkit/random'
import { commonSales, type Listing } from '@mintmark/market'
import type { OperationShape } from '@mintmark/operation'
import { orders } from '@mintmark/orders'
import { createLog, runAs, runCommandLine } from '@mintmark/server-kit'
import { createGateway } from '@mintmark/transport'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gatewayCommands } from '../../commands/commands.ts'
import { findInventory } from '../../main/composition.ts'
import { cardBody } from '../../testing/cards.ts'
import { addPerson } from '../../testing/console-person.ts'
import { createListing } from '../../testing/create-listing.ts'
import { TEST_URL, type TestGateway, type TestKey, testGateway } from '../../testing/gateway.ts'
import { recordAudit } from '../../testing/record-audit.ts'
import { newAddress } from '../../testing/samples/sample.ts'
import { DEFAULT_ORDER_SETTINGS } from '../inventory/order-settings.ts'
import { createVerifier } from '../orders/verification/verifier.ts'
import { hashEntry } from './entry-hash.ts'
import { readBounds, streamEntries } from './verify-audit.ts'

const SEEDS = Math.ceil(Number(process.env.PROPERTY_RUNS ?? 3) / 3)
const WORKERS = 6
const STEPS = 60
const COMMANDS = 4
const TAMPERINGS = 30
const LISTINGS = 20
const HOUR_MS = 3_600_000

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway({ orderSettings: { expirySeconds: 1, checkEveryMs: 0 } })
})
afterAll(() => gateway.close())

interface Answer {
  readonly status: number
  // Not checked: the operations are those of other tests.
  readonly data: { readonly id: number; readonly [field: string]: unknown }
}

/** Who calls the gateway. */
interface Caller {
  readonly actor: string
  /** Whether the caller may call what only some callers may. */
  readonly may: { readonly changeCards: boolean; readonly verifyCards: boolean; readonly manageKeys: boolean }
  call(operation: OperationShape, body: object, headers?: Record<string, string>): Promise<Answer>
}

/** A change: what an entry must have, and what only this change has, if anything. */
type Change = readonly [actor: string, action: string, record: string, mark: unknown]

/** A project and all that happened there. */
interface Hour {
  readonly project: number
  readonly random: Random
  readonly callers: readonly Caller[]
  readonly listings: Listing[]
  readonly cards: number[]
  /** What the holder of each card shows, by the card's id. */
  readonly codes: Map<number, unknown>
  readonly removed: Set<number>
  readonly keys: string[]
  readonly nonces: string[]
  readonly orders: { readonly orderNo: string; readonly listing: number }[]
  readonly expected: Change[]
  readonly refusals: number[]
}

let counter = 0
function newText(kind: string): string {
  counter += 1
  return `${kind} ${counter}`
}

const FULL = { changeCards: true, verifyCards: true, manageKeys: true }
const NONE = { changeCards: false, verifyCards: false, manageKeys: false }
/** What each role may do, as the guide of the console says. */
const RIGHTS: Readonly<Record<Role, Caller['may']>> = {
  [Role.OWNER]: FULL,
  [Role.MANAGER]: { ...FULL, manageKeys: false },
  [Role.STAFF]: { ...NONE, verifyCards: true },
  [Role.AUDITOR]: NONE,
}

/** The parts of a call. */
function toRequest({ method, path, params = {}, query, body }: OperationShape, input: object) {
  const fields = Object.entries(input)
  const filled = fields.reduce((text, [name, value]) => text.replace(`{${name}}`, String(value)), path)
  const rest = fields.filter(([name]) => !Object.hasOwn(params, name)).map(([name, value]) => [name, value])
  return {
    method,
    path: filled,
    query: query === undefined ? '' : new URLSearchParams(Object.fromEntries(rest)).toString(),
    body: body === undefined ? undefined : Object.fromEntries(rest),
  }
}

function createKeyCaller(key: TestKey, may: Caller['may'], secret = key.secret): Caller {
  return {
    actor: `key:${key.apiKey}`,
    may,
    async call(operation, input, headers = {}) {
      const { body, ...request } = toRequest(operation, input)
      const { status, json } = await key.call({
        ...request,
        headers,
        secret,
        ...(body !== undefined && { body }),
      })
      return { status, data: json?.data as Answer['data'] }
    },
  }
}

/** Adds a person. A stranger has the role in another project. */
async function createPerson(project: number, role: Role, isStranger = false): Promise<Caller> {
  const home = isStranger ? gateway.key.projectId : project
  const email = `${newText('person').replace(' ', '.')}@example.com`
  const browser = await addPerson(gateway, { email, role, project: home })
  const { personId } = await session.get(browser.client())
  return {
    actor: `person:${personId}`,
    may: isStranger ? NONE : RIGHTS[role],
    async call(operation, input, headers = {}) {
      const { method, path, query, body } = toRequest(operation, input)
      const response = await browser.fetch(`${path}${query && `?${query}`}`, {
        method,
        headers: {
          'content-type': 'application/json',
          'x-mintmark-session': String(project),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const { data } = (await response.json()) as { data: Answer['data'] }
      return { status: response.status, data }
    },
  }
}

/** Counts a refusal, and fails unless the gateway refused the call. */
function refuse({ refusals }: Hour, { status }: Answer): void {
  expect(status).toBeGreaterThanOrEqual(400)
  expect(status).toBeLessThan(500)
  refusals.push(status)
}

type Step = (hour: Hour, caller: Caller) => Promise<void>

const createCard: Step = async (hour, caller) => {
  const name = newText('Card')
  // Two calls with one key of idempotency make one card.
  const headers = { 'idempotency-key': name }
  const call = () => caller.call(promoCodeCards.create, { ...cardBody, name }, headers)
  const answers = await Promise.all(hour.random.chance(0.3) ? [call(), call()] : [call()])
  const created = answers.find(({ status }) => status === 200)
  if (!caller.may.changeCards || created === undefined) {
    for (const answer of answers) refuse(hour, answer)
    expect(caller.may.changeCards).toBe(false)
    return
  }
  hour.cards.push(created.data.id)
  hour.codes.set(created.data.id, created.data.qrCodeUrl)
  hour.expected.push([caller.actor, 'CREATED', `cards/${created.data.id}`, name])
}

const updateCard: Step = async (hour, caller) => {
  const name = newText('Card')
  const isUnknown = hour.cards.length === 0 || hour.random.chance(0.1)
  const id = isUnknown ? 10_000_000 : hour.random.pick(hour.cards)
  const answer = await caller.call(promoCodeCards.update, { id, name })
  // Another caller may have removed the card.
  if (answer.status !== 200) return refuse(hour, answer)
  expect(caller.may.changeCards && !isUnknown).toBe(true)
  hour.expected.push([caller.actor, 'UPDATED', `cards/${id}`, name])
}

const removeCard: Step = async (hour, caller) => {
  const id = hour.cards.length < 5 ? undefined : hour.cards.find((card) => !hour.removed.has(card))
  if (id === undefined) return
  hour.removed.add(id)
  // The second call finds the card removed, and changes nothing.
  const answers = await Promise.all([1, 2].map(() => caller.call(promoCodeCards.remove, { id })))
  if (answers.every(({ status }) => status === 200)) {
    expect(caller.may.changeCards).toBe(true)
    hour.expected.push([caller.actor, 'UPDATED', `cards/${id}`, null])
    return
  }
  hour.removed.delete(id)
  for (const answer of answers) refuse(hour, answer)
}

const verifyCard: Step = async (hour, caller) => {
  if (hour.cards.length === 0) return
  const isRepeated = hour.nonces.length > 0 && hour.random.chance(0.2)
  const nonce = isRepeated ? hour.random.pick(hour.nonces) : newText('nonce')
  const id = hour.random.pick(hour.cards)
  const scan = { qrCode: hour.codes.get(id), action: 'REDEEM', nonce, verifier: newText('verifier') }
  const answer = await caller.call(promoCodeCards.createVerification, scan)
  if (answer.status !== 200) return refuse(hour, answer)
  expect(caller.may.verifyCards && !isRepeated).toBe(true)
  hour.nonces.push(nonce)
  hour.expected.push([caller.actor, 'CREATED', `card_verifications/${answer.data.id}`, null])
  if (answer.data.result === 'OK') hour.expected.push([caller.actor, 'UPDATED', `cards/${id}`, null])
}

const createKey: Step = async (hour, caller) => {
  const name = newText('Key')
  const answer = await caller.call(apiKeys.create, { name, scopes: ['cards:read'] })
  if (answer.status !== 200) return refuse(hour, answer)
  expect(caller.may.manageKeys).toBe(true)
  const apiKey = String(answer.data.apiKey)
  hour.keys.push(apiKey)
  // The key, and its secret as a part of the key.
  hour.expected.push([caller.actor, 'CREATED', `api_keys/${apiKey}`, name])
  hour.expected.push([caller.actor, 'UPDATED', `api_keys/${apiKey}`, null])
}

const revokeKey: Step = async (hour, caller) => {
  const apiKey = hour.keys.pop()
  if (apiKey === undefined) return
  const answer = await caller.call(apiKeys.revoke, { apiKey })
  if (answer.status !== 200) {
    hour.keys.push(apiKey)
    return refuse(hour, answer)
  }
  expect(caller.may.manageKeys).toBe(true)
  hour.expected.push([caller.actor, 'UPDATED', `api_keys/${apiKey}`, null])
}

const placeOrder: Step = async (hour, caller) => {
  const listing = hour.listings.pop()
  if (listing === undefined) return
  const { id: listingId, marketType } = listing
  const order = { listingId, marketType, quantity: 1, recipient: newAddress() }
  const answer = await caller.call(orders.preOrder, order)
  if (answer.status !== 200) {
    hour.listings.push(listing)
    return refuse(hour, answer)
  }
  expect(caller.may.changeCards).toBe(true)
  const orderNo = String(answer.data.orderNo)
  hour.orders.push({ orderNo, listing: listingId })
  hour.expected.push([caller.actor, 'CREATED', `orders/${orderNo}`, null])
  hour.expected.push([caller.actor, 'UPDATED', `listings/${listingId}`, null])
}

/** A call that is wrong for everybody. */
const sendNonsense: Step = async (hour, caller) => {
  const name = hour.random.pick(['', 'x'.repeat(201)])
  refuse(hour, await caller.call(promoCodeCards.create, { ...cardBody, name, totalIssued: 0 }))
}

const read: Step = async (hour, caller) => {
  const operation: OperationShape = hour.random.pick([
    ...[promoCodeCards.list, commonSales.list, orders.list, audit.list, apiKeys.list, promoCodeCards.search],
  ])
  const answer = await caller.call(operation, operation === promoCodeCards.search ? { keyword: 'a' } : {})
  if (answer.status !== 200) refuse(hour, answer)
}

/** The steps, the frequent ones several times. */
const STEP_KINDS: readonly Step[] = [
  ...[createCard, createCard, updateCard, updateCard, updateCard, removeCard],
  ...[verifyCard, verifyCard, verifyCard, createKey, revokeKey, placeOrder, sendNonsense, read, read],
]

/** Runs a command as from a shell. */
const runCommand = (...args: string[]) => {
  const environment = { DATABASE_URL: gateway.url, SECRET_KEYS: gateway.secretKeys }
  return captureCommand(environment, () =>
    runCommandLine({ program: 'mintmark-gateway', version: '0' }, gatewayCommands, args),
  )
}

/** Creates a key by a command, and revokes it. A command that is refused changes nothing. */
async function runCommands({ expected, refusals }: Hour, project: string): Promise<void> {
  const name = newText('Command')
  const { out } = await runCommand('keys', 'create', '--project', project, '--name', name)
  const { apiKey } = JSON.parse(out)
  expect((await runCommand('keys', 'revoke', apiKey)).status).toBe(0)
  expect((await runCommand('keys', 'revoke', 'mk_unknown')).status).not.toBe(0)
  refusals.push(0)
  const record = `api_keys/${apiKey}`
  expected.push(['command:keys create', 'CREATED', record, name])
  expected.push(['command:keys create', 'UPDATED', record, null])
  expected.push(['command:keys revoke', 'UPDATED', record, null])
}

/** Runs the job that ends unpaid orders until it has ended all. */
async function expireOrders({ project, orders: placed, expected }: Hour): Promise<void> {
  const write = (line: string) => expect.fail(line)
  const verifier = createVerifier({
    database: gateway.database,
    chains: gateway.chain,
    findInventory,
    settings: { ...DEFAULT_ORDER_SETTINGS, expirySeconds: 1, checkEveryMs: 0 },
    log: createLog('gateway', 'error', { write }),
  })
  const db = gateway.owner.system
  // Only the database knows the time until which an order waits.
  await sql`select pg_sleep_until(max(expires_at)) from gateway.orders where project_id = ${project}`.execute(
    db,
  )
  for (let open = Number.POSITIVE_INFINITY; open > 0; ) {
    await runAs('job:orders', () => verifier.run())
    const { rows } = await sql<{ open: number }>`
      select count(*)::int as open from gateway.orders where project_id = ${project} and status = 0`.execute(
      db,
    )
    open = rows[0]?.open ?? 0
  }
  for (const { orderNo, listing } of placed) {
    expected.push(['job:orders', 'UPDATED', `orders/${orderNo}`, null])
    expected.push(['job:orders', 'UPDATED', `listings/${listing}`, null])
  }
}

async function createCallers(project: number, name: string): Promise<readonly Caller[]> {
  const newKey = (scopes?: readonly string[]) =>
    gateway.newKey({ project: name, name: newText('key'), ...(scopes && { scopes: [...scopes] }) })
  const people = Object.values(Role).map((role) => createPerson(project, role))
  const strange = await newKey()
  return [
    ...(await Promise.all(people)),
    await createPerson(project, Role.OWNER, true),
    createKeyCaller(await newKey(), FULL),
    createKeyCaller(await newKey(), FULL),
    createKeyCaller(await newKey(['cards:read', 'orders:read']), NONE),
    createKeyCaller(strange, NONE, 'f'.repeat(strange.secret.length)),
  ]
}

/**
 * Lets everybody work at the same time for an hour of the gateway's clock, while two processes write the log.
 */
async function passHour(seed: number): Promise<Hour & { readonly start: number }> {
  const name = `hour ${seed}`
  const key = await gateway.newKey({ project: name })
  const { projectId: project, apiKey, secret } = key
  const client = createGateway({
    baseUrl: TEST_URL,
    credentials: { apiKey, secret },
    retries: 0,
    now: () => Date.now() + gateway.clock.ahead,
    fetch: async (...input) => await gateway.app.fetch(new Request(...input)),
  })
  const listings: Listing[] = []
  while (listings.length < LISTINGS)
    listings.push(await createListing({ gateway, projectId: project, client }))
  const hour: Hour = {
    project,
    random: randomFrom(seed),
    callers: await createCallers(project, name),
    listings,
    cards: [],
    codes: new Map(),
    removed: new Set(),
    keys: [],
    nonces: [],
    orders: [],
    expected: [],
    refusals: [],
  }
  await recordAudit(gateway)
  const { newest: start } = await readBounds(gateway.owner.system, project)
  let isWorking = true
  const work = async () => {
    for (let step = 0; step < STEPS; step += 1) {
      gateway.clock.ahead += HOUR_MS / (WORKERS * STEPS)
      await hour.random.pick(STEP_KINDS)(hour, hour.random.pick(hour.callers))
    }
  }
  const command = async () => {
    for (let step = 0; step < COMMANDS; step += 1) await runCommands(hour, name)
  }
  const sequence = async () => {
    while (isWorking) {
      await recordAudit(gateway)
      await new Promise(setImmediate)
    }
  }
  const working = Promise.all([...Array.from({ length: WORKERS }, work), command()]).finally(() => {
    isWorking = false
  })
  await Promise.all([working, sequence(), sequence()])
  await expireOrders(hour)
  await recordAudit(gateway)
  return { ...hour, start }
}

/** Lists the entries of the hour. Only names that a change gives are marks. */
async function listChanges(project: number, start: number): Promise<Change[]> {
  const { rows } = await sql<{ actor: string; action: string; record: string; mark: unknown }>`
    select actor, action,
      case when record_type in ('cards', 'api_keys') then changes -> 'name' ->> 'after' end as mark,
      record_type || '/' || case record_type
        when 'orders' then (
          select o.order_no from gateway.orders o where o.project_id = ${project} and o.id::text = record_id)
        when 'api_keys' then (
          select k.api_key from gateway.api_keys k where k.project_id = ${project} and k.id::text = record_id)
        else record_id end as record
    from gateway.audit_entries where project_id = ${project} and id > ${start}`.execute(gateway.owner.system)
  return rows.map(({ actor, action, record, mark }) => [actor, action, record, mark])
}

const sorted = (changes: readonly Change[]) => changes.map((change) => JSON.stringify(change)).sort()

const OTHER_HASH = `'\\x${'f'.repeat(64)}'`
/** Changes of columns. Each changes every entry, whatever it contains. */
const COLUMNS: readonly string[] = [
  ...['id = id + 100000', `occurred_at = occurred_at - interval '1 hour'`, `actor = actor || 's'`],
  ...[`record_type = record_type || 's'`, `record_id = record_id || '0'`, `changes = '{"x": {"before": 1}}'`],
  ...[`changes = changes || '{"x": {"after": 1}}'`, `previous_hash = ${OTHER_HASH}`, `hash = ${OTHER_HASH}`],
  `action = case action when 'DELETED' then 'CREATED' else 'DELETED' end`,
]
const TABLE = 'gateway.audit_entries'
/** Added to the numbers of entries that have to make room for each other. */
const AWAY = 1_000_000

/** A way to tamper with a log, whose entries `$p` selects. */
interface Tampering {
  readonly title: string
  readonly statements: readonly string[]
  /** The hashes from this entry on are computed again, so that only an earlier head shows it. */
  readonly rehashFrom?: number
}

/** Changes a column of any entry. */
function changeColumn(random: Random, newest: number, column: string): Tampering {
  const k = 1 + random.integer(newest)
  return { title: `${column} of ${k}`, statements: [`update ${TABLE} set ${column} where $p and id = ${k}`] }
}

/** Chooses a way to tamper with a log of `newest` entries. */
function chooseTampering(random: Random, newest: number): Tampering {
  const k = 2 + random.integer(newest - 2)
  const other = 1 + ((k + random.integer(newest - 2)) % newest)
  return random.pick<Tampering>([
    changeColumn(random, newest, random.pick(COLUMNS)),
    { title: `delete ${k}`, statements: [`delete from ${TABLE} where $p and id = ${k}`] },
    {
      title: `swap ${k} and ${other}`,
      statements: [
        `update ${TABLE} set id = ${AWAY} where $p and id = ${k}`,
        `update ${TABLE} set id = ${k} where $p and id = ${other}`,
        `update ${TABLE} set id = ${other} where $p and id = ${AWAY}`,
      ],
    },
    {
      title: `insert before ${k}`,
      statements: [
        `update ${TABLE} set id = id + ${AWAY} where $p and id >= ${k}`,
        `update ${TABLE} set id = id - ${AWAY} + 1 where $p and id > ${AWAY}`,
        `insert into ${TABLE} select project_id, ${k}, occurred_at, 'nobody', record_type, record_id, action, changes,
           previous_hash, hash from ${TABLE} where $p and id = ${k + 1}`,
      ],
    },
    { title: `truncate from ${k}`, statements: [`delete from ${TABLE} where $p and id >= ${k}`] },
    {
      title: `truncate from ${k} with the head`,
      statements: [
        `delete from ${TABLE} where $p and id >= ${k}`,
        `update gateway.audit_heads h set sequence = e.id, hash = e.hash from ${TABLE} e
         where h.$p and e.$p and e.id = ${k - 1}`,
      ],
    },
    {
      title: `rewrite from ${k}`,
      statements: [`update ${TABLE} set actor = 'nobody' where $p and id = ${k}`],
      rehashFrom: k,
    },
    {
      title: `restart the chain at ${k}`,
      statements: [
        `delete from ${TABLE} where $p and id < ${k}`,
        `update ${TABLE} set id = id + ${AWAY} where $p`,
        `update ${TABLE} set id = id - ${AWAY} - ${k - 1} where $p`,
      ],
      rehashFrom: 1,
    },
  ])
}

/** Computes the hashes from an entry on again, and that of the head, as whoever owns the database can. */
async function rehash(project: number, from: number): Promise<void> {
  const db = gateway.owner.system
  const { newest } = await readBounds(db, project)
  let previous = ''
  for await (const entry of streamEntries(db, project, newest)) {
    const hash = entry.sequence < from ? entry.hash : hashEntry({ ...entry, previousHash: previous })
    if (entry.sequence >= from)
      await sql`update gateway.audit_entries set previous_hash = decode(${previous}, 'hex'), hash = decode(${hash}, 'hex')
        where project_id = ${project} and id = ${entry.sequence}`.execute(db)
    previous = hash
  }
  await sql`update gateway.audit_heads set sequence = ${newest}, hash = decode(${previous}, 'hex')
    where project_id = ${project}`.execute(db)
}

async function tamper(project: number, { statements, rehashFrom }: Tampering): Promise<void> {
  for (const statement of statements) {
    const text = statement.replaceAll('$p', `project_id = ${project}`)
    const { numAffectedRows } = await sql.raw(text).execute(gateway.owner.system)
    expect(numAffectedRows, text).not.toBe(0n)
  }
  if (rehashFrom !== undefined) await rehash(project, rehashFrom)
}

/** Copies the log, and returns what restores it. */
async function keepLog(project: number): Promise<() => Promise<void>> {
  const run = (text: string) =>
    sql.raw(text.replaceAll('$p', `project_id = ${project}`)).execute(gateway.owner.system)
  const tables = ['audit_entries', 'audit_heads']
  for (const table of tables)
    await run(`create table kept_${table}_${project} as select * from gateway.${table} where $p`)
  return async () => {
    // Entries refer to their head.
    for (const table of tables) await run(`delete from gateway.${table} where $p`)
    for (const table of tables.toReversed())
      await run(`insert into gateway.${table} select * from kept_${table}_${project}`)
  }
}

describe.each(Array.from({ length: SEEDS }, (_, number) => 90 + number))(
  'after an hour with the seed %i',
  (seed) => {
    let hour: Awaited<ReturnType<typeof passHour>>
    beforeAll(async () => {
      hour = await passHour(seed)
    })

    it('each change has exactly one row with who made it, and what was refused or read has none', async () => {
      const { project, start, expected, refusals } = hour
      expect(sorted(await listChanges(project, start))).toEqual(sorted(expected))
      const actors = new Set(expected.map(([actor]) => actor))
      expect([...actors].filter((actor) => actor.startsWith('person:'))).toHaveLength(3)
      expect([...actors].filter((actor) => actor.startsWith('key:'))).toHaveLength(2)
      expect(actors).toContain('job:orders')
      expect(actors).toContain('command:keys revoke')
      expect(expected.length).toBeGreaterThan(100)
      expect(new Set(refusals)).toEqual(new Set([...refusals, 0, 400, 401, 403, 404]))
    })

    it('the command finds each random tampering', async () => {
      const { project, random } = hour
      const verify = (...more: string[]) =>
        runCommand('audit', 'verify', '--project', String(project), ...more)
      const { out } = await verify()
      const head = /(\d+):[0-9a-f]{64}(?=\n$)/.exec(out)
      const newest = Number(head?.[1])
      const restore = await keepLog(project)
      for (let count = 0; count < TAMPERINGS; count += 1) {
        const tampering = chooseTampering(random, newest)
        await tamper(project, tampering)
        const found = await verify('--expect', head?.[0] ?? '')
        expect(found.status, `${tampering.title}: ${found.out}`).toBe(1)
        expect(found.out).toMatch(/entry \d+ is wrong/)
        await restore()
        expect(await verify('--expect', head?.[0] ?? '')).toMatchObject({ status: 0, out })
      }
    })
  },
)
