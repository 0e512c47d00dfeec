import { apiKeys, Role, SCOPE_NOT_HELD } from '@mintmark/admin'
import type { OperationShape } from '@mintmark/operation'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { removeMember } from '../domains/people/members-store.ts'
import { routes } from '../main/routes.ts'
import { addPerson, setOperator, type TestBrowser } from '../testing/console-person.ts'
import { type TestGateway, testGateway } from '../testing/gateway.ts'
import { clientOf } from '../testing/samples/calls.ts'

let gateway: TestGateway
let project: number
beforeAll(async () => {
  gateway = await testGateway()
  project = gateway.key.projectId
})
afterAll(() => gateway.close())

const operations: readonly OperationShape[] = routes.map(({ operation }) => operation)

const COLUMNS = [Role.OWNER, Role.MANAGER, Role.STAFF, Role.AUDITOR, 'key of *'] as const
type Column = (typeof COLUMNS)[number]

/**
 * What each role may call in a project, and a key with the scope `*`. It states every scope and effect, and each
 * operation without a scope, so
 * that a new one fails this test until somebody decides who has it.
 */
const TABLE: Readonly<Record<string, readonly boolean[]>> = {
  // OWNER, MANAGER, STAFF, AUDITOR, a key of *
  'session.get': [true, true, true, true, false],
  'apiKeys.getCurrent': [false, false, false, false, true],
  'audit:read, read': [true, false, false, true, false],
  'cards:read, read': [true, true, true, true, true],
  'cards:verify, write': [true, true, true, false, true],
  'cards:write, write': [true, true, false, false, true],
  'contracts:read, read': [true, true, false, true, true],
  'contracts:write, write': [true, true, false, false, true],
  'events:read, read': [true, true, false, true, true],
  'keys:read, read': [true, false, false, true, false],
  'keys:write, write': [true, false, false, false, false],
  'market:read, read': [true, true, false, true, true],
  'market:write, write': [true, true, false, false, true],
  'media:write, write': [true, true, false, false, true],
  'operator:read, read': [false, false, false, false, false],
  'operator:write, write': [false, false, false, false, false],
  'orders:read, read': [true, true, false, true, true],
  'orders:write, write': [true, true, false, false, true],
  'people:read, read': [true, false, false, true, false],
  'people:write, write': [true, false, false, false, false],
  'wallet:read, read': [true, true, false, true, true],
  'wallet:write, write': [true, true, false, false, true],
  'webhooks:read, read': [true, true, false, true, true],
  'webhooks:write, write': [true, true, false, false, true],
}

const toRow = ({ id, scope, effect }: OperationShape) => (scope === undefined ? id : `${scope}, ${effect}`)

function isAllowed(operation: OperationShape, column: Column): boolean {
  const allowed = TABLE[toRow(operation)]?.[COLUMNS.indexOf(column)]
  if (allowed === undefined) throw new Error(`The table lacks ${operation.id}`)
  return allowed
}

/** A call that finds nothing and stores nothing: the id does not exist, and the body lacks its fields. */
function toRequest({ method, path, body }: OperationShape) {
  const address = path.replaceAll(/\{\w+\}/g, '999999999')
  return { method, path: address, ...(body !== undefined && { body: {} }) }
}

/**
 * Calls each operation, and lists those whose response is 403 although the table allows them, or the other
 * way around.
 */
async function listMismatches(
  column: Column,
  call: (operation: OperationShape) => Promise<number>,
): Promise<string[]> {
  const mismatches: string[] = []
  for (const operation of operations) {
    const status = await call(operation)
    const isForbidden = status === 403
    if (isForbidden === isAllowed(operation, column)) mismatches.push(`${operation.id}: ${status}`)
  }
  return mismatches
}

/** Calls an operation in the project with the session of a browser. */
const callFrom = (browser: TestBrowser) => async (operation: OperationShape) => {
  const { method, path, body } = toRequest(operation)
  const response = await browser.fetch(path, {
    method,
    headers: { 'x-mintmark-session': String(project), 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  // A stream of events has no end.
  await response.body?.cancel()
  return response.status
}

it('the table of roles has a row for each scope and effect of the operations, and no others', () => {
  expect(Object.keys(TABLE).toSorted()).toEqual([...new Set(operations.map(toRow))].toSorted())
})

it.each(Object.values(Role))(
  'a person in the project with the role %s is forbidden exactly what the table says',
  async (role) => {
    const email = `${role.toLowerCase()}@example.com`
    const browser = await addPerson(gateway, { email, role, project })
    expect(await listMismatches(role, callFrom(browser))).toEqual([])
  },
)

it('a person in the project who operates the server without a role is forbidden all that belongs to the project', async () => {
  const email = 'operator@example.com'
  const browser = await addPerson(gateway, { email, role: Role.OWNER, project })
  await addPerson(gateway, { email: 'second-owner@example.com', role: Role.OWNER, project })
  const { system } = gateway.owner
  const { id } = await system
    .selectFrom('gateway.people')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  await setOperator(gateway, email, true)
  expect(await removeMember(system, project, id)).toBe('changed')
  const call = callFrom(browser)
  const list = operations.find(({ id: operation }) => operation === 'orders.list')
  await expect.poll(() => list && call(list)).toBe(403)
  const belongsToProject = ({ scope }: OperationShape) =>
    scope !== undefined && !scope.startsWith('operator:')
  const statuses = await Promise.all(operations.filter(belongsToProject).map(call))
  expect(new Set(statuses)).toEqual(new Set([403]))
})

describe('a key', () => {
  it('a key with the scope * is forbidden exactly what the table says', async () => {
    const key = await gateway.newKey({ scopes: ['*'] })
    const call = async (operation: OperationShape) => (await key.call(toRequest(operation))).status
    expect(await listMismatches('key of *', call)).toEqual([])
  })

  const refused = { reason: SCOPE_NOT_HELD.reason, status: 403 }

  it('a key with keys:write alone creates no key that may do more', async () => {
    const client = clientOf(gateway, await gateway.newKey({ scopes: ['keys:write'] }))
    for (const scopes of [undefined, ['*'], ['orders:read'], ['keys:write', 'keys:read'], ['people:write']])
      await expect(apiKeys.create(client, { name: 'more', scopes })).rejects.toMatchObject(refused)
    const same = await apiKeys.create(client, { name: 'same', scopes: ['keys:write'] })
    expect(same.scopes).toEqual(['keys:write'])
  })

  it('a key with keys:write alone rotates no key that may do more', async () => {
    const client = clientOf(gateway, await gateway.newKey({ scopes: ['keys:write'] }))
    const { apiKey } = await gateway.newKey({ scopes: ['*'] })
    await expect(apiKeys.rotate(client, { apiKey })).rejects.toMatchObject(refused)
    const equal = await gateway.newKey({ scopes: ['keys:write'] })
    expect((await apiKeys.rotate(client, { apiKey: equal.apiKey })).secret).toMatch(/^sk_/)
  })

  it('a key with * and keys:write gives no scope of the admin interface that it lacks', async () => {
    const client = clientOf(gateway, await gateway.newKey({ scopes: ['*', 'keys:write'] }))
    const create = (scopes: string[]) => apiKeys.create(client, { name: 'given', scopes })
    await expect(create(['people:write'])).rejects.toMatchObject(refused)
    await expect(create(['keys:read'])).rejects.toMatchObject(refused)
    expect((await create(['*', 'orders:write', 'keys:write'])).secret).toMatch(/^sk_/)
  })

  it('a key is created with each scope of a project by an owner, and with none of operators', async () => {
    const browser = await addPerson(gateway, { email: 'giver@example.com', role: Role.OWNER, project })
    const client = browser.client(project)
    const scopes = ['*', 'people:write', 'keys:write']
    expect((await apiKeys.create(client, { name: 'all', scopes })).scopes).toEqual(scopes)
    const operator = apiKeys.create(client, { name: 'operator', scopes: ['operator:write'] })
    await expect(operator).rejects.toMatchObject({ status: 400, issues: [{ path: 'scopes.0' }] })
  })
})
