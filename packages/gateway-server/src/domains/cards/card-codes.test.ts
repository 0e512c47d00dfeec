import { Role } from '@mintmark/admin'
import { commemorativeCards, eventCards, membershipCards, promoCodeCards } from '@mintmark/cards'
import type { OperationShape } from '@mintmark/operation'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { routes } from '../../main/routes.ts'
import { addPerson, setOperator, type TestBrowser } from '../../testing/console-person.ts'
import { recordAudit } from '../../testing/event-streams.ts'
import { type TestGateway, testGateway } from '../../testing/gateway.ts'
import { callFromPage, createTestPublishableKey } from '../../testing/publishable-caller.ts'
import { type RawRequest, readResponse } from '../../testing/raw-client.ts'
import { clientOf, type Input, rawCallOf, sampleProject } from '../../testing/samples/calls.ts'
import { samples } from '../../testing/samples/index.ts'
import type { Sample, SampleProject } from '../../testing/samples/sample.ts'

/** The operations that return cards. */
const READS = [
  'list',
  'get',
  'getByQrCode',
  'listByCreator',
  'listByOwner',
  'listByNft',
  'listByStore',
  'search',
]
const WRITES = ['create', 'createBatch', 'update']

/**
 * Who sees the codes of cards, and in the responses of which operations of the card programs. No other operation
 * shows a code to anybody. `key of …` has these scopes.
 */
const TABLE: Readonly<Record<string, readonly string[]>> = {
  [Role.OWNER]: [...READS, ...WRITES],
  [Role.MANAGER]: [...READS, ...WRITES],
  [Role.STAFF]: [],
  [Role.AUDITOR]: [],
  'operator without a role': [],
  'publishable key': [],
  'key of *': [...READS, ...WRITES],
  'key of cards:read,cards:write': [...READS, ...WRITES],
  'key of cards:write': WRITES,
  'key of cards:read': [],
  'key of cards:read,cards:verify': [],
  'key of all scopes except cards:write': [],
}

const operations: readonly OperationShape[] = routes.map(({ operation }) => operation)
const programs = { promoCodeCards, eventCards, membershipCards, commemorativeCards }
const OWN_PICTURE = 'https://shop.example/codes/own-picture-of-a-code.png'

/** Further calls of operations that find everything only without the filters of their samples. */
const FURTHER_CALLS: Readonly<Record<string, readonly Input[]>> = {
  'audit.list': ['cards', 'card_verifications'].map((recordType) => ({ recordType, pageSize: 100 })),
  'events.list': [{ limit: 500 }],
}

type Call = (request: RawRequest & { method: string }) => Promise<string>

let gateway: TestGateway
let project: SampleProject
/** The inputs of the reads, which all callers share. */
const inputs = new Map<string, readonly Input[]>()

const createInput = (each: Sample) => each.input(project) as Input | Promise<Input>

beforeAll(async () => {
  gateway = await testGateway()
  project = await sampleProject(gateway, 'demo')
  const { client } = project
  const card = {
    name: 'A free coffee',
    nftAddress: `0x${'a1'.repeat(20)}`,
    startTime: '2026-01-01T00:00:00Z',
    endTime: '2099-12-31T00:00:00Z',
    totalIssued: 3,
  }
  for (const program of Object.values(programs)) {
    const { id, qrCodeUrl } = await program.create(client, card)
    const own = await program.create(client, { ...card, qrCodeUrl: OWN_PICTURE })
    await program.update(client, { id: own.id, qrCodeUrl: '' })
    await program.update(client, { id, name: 'A free tea' })
    const request = { qrCode: qrCodeUrl, nonce: program.create.id, store: 'Berlin' }
    if (program === promoCodeCards)
      await promoCodeCards.createVerification(client, { ...request, action: 'REDEEM' })
    if (program === eventCards)
      await eventCards.createVerification(client, { ...request, action: 'CHECK_IN' })
    if (program === membershipCards)
      await membershipCards.createVerification(client, { ...request, action: 'CHECK_IN' })
    await program.create(client, { ...card, qrCodeUrl: OWN_PICTURE })
  }
  for (const each of samples) {
    const { id, effect } = each.operation
    if (effect === 'read') inputs.set(id, [await createInput(each), ...(FURTHER_CALLS[id] ?? [])])
  }
  await recordAudit(gateway)
})
afterAll(() => gateway.close())

/** Every text that gives a card to whoever has it. */
async function listCodes(): Promise<string[]> {
  const { rows } = await gateway.owner.pool.query<{ qr_code: string }>(
    'select qr_code from gateway.cards where project_id = $1',
    [project.projectId],
  )
  return [OWN_PICTURE, ...rows.map(({ qr_code }) => qr_code)]
}

/** The calls of an operation. One without a sample belongs to people or operators, and is called without input. */
async function createCalls(operation: OperationShape): Promise<(RawRequest & { method: string })[]> {
  const each = samples.find(({ operation: { id } }) => id === operation.id)
  if (each === undefined) {
    const path = operation.path.replaceAll(/\{\w+\}/g, '999999999')
    return [{ method: operation.method, path, ...(operation.body && { body: {} }) }]
  }
  const known = inputs.get(operation.id) ?? [await createInput(each)]
  return known.map((input) => rawCallOf(operation, input))
}

/** Calls every operation, and lists those whose response contains the code of a card. */
async function listShowing(call: Call): Promise<string[]> {
  const texts = new Map<string, string>()
  for (const operation of operations) {
    const responses: string[] = []
    for (const request of await createCalls(operation)) responses.push(await call(request))
    texts.set(operation.id, responses.join('\n'))
  }
  const codes = await listCodes()
  const showing = [...texts].filter(([, text]) => codes.some((code) => text.includes(code)))
  return showing.map(([id]) => id).toSorted()
}

function callFrom(browser: TestBrowser, target: number | 'none' = project.projectId): Call {
  return async ({ method, path, query = '', body }) => {
    const response = await browser.fetch(`${path}${query && `?${query}`}`, {
      method,
      headers: { 'x-mintmark-session': String(target), 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return (await readResponse(response)).text
  }
}

async function callWithKey(scopes: readonly string[]): Promise<Call> {
  const key = await gateway.newKey({ scopes: [...scopes] })
  return async (request) => (await key.call(request)).text
}

async function createOperator(): Promise<TestBrowser> {
  const email = 'operator@example.com'
  const other = (await gateway.newKey({ project: 'another' })).projectId
  const browser = await addPerson(gateway, { email, role: Role.OWNER, project: other })
  await setOperator(gateway, email, true)
  return browser
}

/** The scopes that keys can have. */
const scopesOfKeys = [...new Set(operations.flatMap(({ scope }) => scope ?? []))].filter(
  (scope) => !scope.startsWith('operator:'),
)

async function createCall(caller: string): Promise<Call> {
  if (caller === 'operator without a role') return callFrom(await createOperator(), 'none')
  if (caller === 'publishable key') {
    const { publishableKey } = await createTestPublishableKey(gateway)
    return async (request) => (await callFromPage(gateway, publishableKey, request as never)).text
  }
  if (caller === 'key of all scopes except cards:write')
    return await callWithKey(scopesOfKeys.filter((scope) => scope !== 'cards:write'))
  if (caller.startsWith('key of ')) return await callWithKey(caller.slice('key of '.length).split(','))
  const role = caller as Role
  return callFrom(
    await addPerson(gateway, {
      email: `${role.toLowerCase()}@example.com`,
      role,
      project: project.projectId,
    }),
  )
}

it('the codes of cards have a row in the table for every role', () => {
  expect(Object.keys(TABLE)).toEqual(expect.arrayContaining(Object.values(Role)))
})

it.each(Object.entries(TABLE))(
  'the codes of cards are shown to %s as the table says',
  async (caller, names) => {
    const expected = Object.keys(programs).flatMap((program) => names.map((name) => `${program}.${name}`))
    expect(await listShowing(await createCall(caller))).toEqual(expected.toSorted())
  },
)

it('the codes of cards must be sent by staff, and by keys that only verify: they redeem no card by its id', async () => {
  const card = await promoCodeCards.create(project.client, {
    name: 'A free coffee',
    nftAddress: `0x${'a1'.repeat(20)}`,
    startTime: '2026-01-01T00:00:00Z',
    endTime: '2099-12-31T00:00:00Z',
    totalIssued: 3,
  })
  const { id, qrCodeUrl: qrCode } = card
  const person = { email: 'till@example.com', role: Role.STAFF, project: project.projectId }
  const staff = (await addPerson(gateway, person)).client(project.projectId)
  const till = clientOf(gateway, await gateway.newKey({ scopes: ['cards:verify'] }))
  for (const client of [staff, till]) {
    const verify = (shown: { id: number } | { qrCode: string }) =>
      promoCodeCards.createVerification(client, { ...shown, action: 'REDEEM', nonce: crypto.randomUUID() })
    await expect(verify({ id })).rejects.toMatchObject({ kind: 'Forbidden', status: 403 })
    expect(await verify({ qrCode })).toMatchObject({ result: 'OK', cardId: id })
  }
  expect(await promoCodeCards.get(project.client, { id })).toMatchObject({ usedCount: 2 })
})

it('the codes of cards are in no event and in no entry of the audit log, whoever reads them', async () => {
  await recordAudit(gateway)
  const { rows } = await gateway.owner.pool.query<{ text: string }>(
    `select data::text as text from gateway.events where project_id = $1
      union all select changes::text from gateway.audit_entries where project_id = $1`,
    [project.projectId],
  )
  const codes = await listCodes()
  expect(rows.length).toBeGreaterThan(100)
  const revealing = rows.filter(({ text }) => codes.some((code) => text.includes(code)))
  expect(revealing.length).toBe(0)
})
