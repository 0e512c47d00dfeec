import {
  operatorProjects,
  operators,
  Role,
  serverAudit,
  serverHealth,
  stuckMints,
  stuckOrders,
} from '@mintmark/admin'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { commonSales } from '@mintmark/market'
import type { GatewayClient } from '@mintmark/operation'
import { orders } from '@mintmark/orders'
import { openDatabase } from '@mintmark/server-kit'
import { createGateway } from '@mintmark/transport'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Tables } from '../database/tables.ts'
import { addPerson, PASSWORD, setOperator, TestBrowser } from '../testing/console-person.ts'
import { createOwnedToken } from '../testing/create-listing.ts'
import { recordAudit } from '../testing/event-streams.ts'
import { TEST_URL, type TestKey } from '../testing/gateway.ts'
import { PRICE, payToken } from '../testing/payment-cases.ts'
import { type PaymentFixture, paymentFixture } from '../testing/payment-fixture.ts'

let fixture: PaymentFixture
beforeAll(async () => {
  fixture = await paymentFixture({ unseenSeconds: 600, reservationSeconds: 3600, watchBlocks: 8 })
})
afterAll(() => fixture?.close())

const clientOf = ({ apiKey, secret }: TestKey) =>
  createGateway({
    baseUrl: TEST_URL,
    credentials: { apiKey, secret },
    fetch: async (input, init) => fixture.gateway.app.fetch(new Request(input, init)),
  })

const newClient = async (...scopes: string[]) =>
  clientOf(await fixture.gateway.newKey({ project: 'operations', scopes }))

async function newOperator(email: string) {
  const project = fixture.project.projectId
  const browser = await addPerson(fixture.gateway, { email, role: Role.STAFF, project })
  await setOperator(fixture.gateway, email, true)
  return browser
}

/** Locks the operators, makes calls, and releases the lock when so many statements wait for it. */
async function holdOperators<Calls>(count: number, call: () => Calls): Promise<Calls> {
  const database = openDatabase<Tables>({ url: fixture.gateway.url, max: 2 })
  const holder = await database.pool.connect()
  try {
    await holder.query('begin')
    await holder.query('select from gateway.people where is_operator for update')
    const calls = call()
    const countWaiting = async () => {
      const { rows } = await database.pool.query<{ count: number }>(
        "select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
      return rows[0]?.count
    }
    await expect.poll(countWaiting).toBe(count)
    return calls
  } finally {
    await holder.query('rollback')
    holder.release()
    await database.close()
  }
}

it('operations of operators are refused to keys without their scope, also to those with all scopes', async () => {
  const keys = [await newClient('*'), await newClient('people:write', 'keys:write')]
  for (const key of keys) {
    await expect(operatorProjects.list(key)).rejects.toMatchObject({ status: 403 })
    await expect(serverHealth.get(key)).rejects.toMatchObject({ status: 403 })
  }
  const reader = await newClient('operator:read')
  await expect(operatorProjects.create(reader, { name: 'x' })).rejects.toMatchObject({ status: 403 })
})

it('operations of operators are accepted with an Idempotency-Key from an operator without a project, and have no second effect', async () => {
  const client = (await newOperator('repeating@example.com')).client()
  const create = () =>
    operatorProjects.create(client, { name: 'Repeated Coffee' }, { idempotencyKey: 'once', retries: 0 })
  const created = await create()
  expect(created).toMatchObject({ name: 'Repeated Coffee' })
  expect(await create()).toEqual(created)
})

it('operations of operators are accepted from an operator without a project, until that ends', async () => {
  const email = 'operator@example.com'
  const browser = await newOperator(email)
  const created = await operatorProjects.create(browser.client(), { name: 'Corner Coffee' })
  expect(created).toMatchObject({ name: 'Corner Coffee', people: 0, activeKeys: 0 })
  expect(await operatorProjects.create(browser.client(), { name: 'Corner Coffee' })).toEqual(created)
  expect(await operatorProjects.list(browser.client())).toContainEqual(created)
  await setOperator(fixture.gateway, email, false)
  const list = () =>
    operatorProjects.list(browser.client()).then(
      () => 200,
      ({ status }) => status,
    )
  await expect.poll(list).toBe(403)
})

it('operatorProjects.inviteOwner invites the first owner, whom the link makes an owner, and nobody afterwards', async () => {
  const client = await newClient('operator:read', 'operator:write')
  const { projectId } = await operatorProjects.create(client, { name: 'New Coffee' })
  const email = 'first@example.com'
  const { role, url = '' } = await operatorProjects.inviteOwner(client, { projectId, email })
  expect(role).toBe('OWNER')
  const response = await new TestBrowser(fixture.gateway).post(
    `/console/invitations/${url.split('/').at(-1)}`,
    { name: 'First', password: PASSWORD },
  )
  expect(response.status).toBe(200)
  const listed = (await operatorProjects.list(client)).find((each) => each.projectId === projectId)
  expect(listed).toMatchObject({ people: 1 })
  const invite = (address: string) =>
    operatorProjects.inviteOwner(client, { projectId, email: address }).catch(({ reason }) => reason)
  expect(await invite('second@example.com')).toBe('HAS_OWNER')
  expect(await invite(email)).toBe('HAS_OWNER')
})

const pathOfLink = (url: string) => `/console/invitations/${url.split('/').at(-1)}`
const statusOf = (call: Promise<unknown>) =>
  call.then(
    () => 200,
    ({ status }) => status,
  )

it('operators are invited by a link, which makes a new person or one who is signed in an operator once, and revoked', async () => {
  const client = await newClient('operator:read', 'operator:write')
  const { projectId: project } = fixture.project
  const email = 'invited@example.com'
  const browser = await addPerson(fixture.gateway, { email, role: Role.STAFF, project })
  const { url, ...invitation } = await operators.invite(client, { email: 'Invited@Example.com' })
  expect(invitation).toEqual({ email, expireTime: expect.any(String) })
  expect(await (await browser.fetch(pathOfLink(url))).json()).toEqual({ email, isNewPerson: false })
  expect(await statusOf(operators.list(browser.client()))).toBe(403)
  expect((await browser.post(pathOfLink(url), {})).status).toBe(200)
  await expect.poll(() => statusOf(operators.list(browser.client()))).toBe(200)
  expect((await browser.post(pathOfLink(url), {})).status).toBe(404)

  const newcomer = new TestBrowser(fixture.gateway)
  const { url: link } = await operators.invite(client, { email: 'newcomer@example.com' })
  const account = { name: 'New', password: PASSWORD }
  expect((await newcomer.post(pathOfLink(link), account)).status).toBe(200)
  const listed = await operators.list(newcomer.client())
  expect(listed.map((each) => each.email)).toEqual(expect.arrayContaining([email, 'newcomer@example.com']))
  const personId = listed.find((each) => each.email === email)?.personId ?? ''
  expect(await operators.revoke(client, { personId })).toEqual({})
  await expect(operators.revoke(client, { personId })).rejects.toMatchObject({ status: 404 })
  expect((await operators.list(client)).some((each) => each.email === email)).toBe(false)
  await expect.poll(() => statusOf(operators.list(browser.client()))).toBe(403)
})

it('operators are not made of an account that somebody else has created with their address, and get the address back', async () => {
  const client = await newClient('operator:read', 'operator:write')
  const { projectId: project } = fixture.project
  const email = 'kim@operator.example'
  // The owner of a project invites the address, and accepts the invitation.
  const impostor = await addPerson(fixture.gateway, { email, role: Role.STAFF, project })
  const { url } = await operators.invite(client, { email })
  const kim = new TestBrowser(fixture.gateway)
  const account = { name: 'Kim', password: 'another horse battery staple' }
  const refused = await kim.post(pathOfLink(url), account)
  expect(refused.status).toBe(409)
  expect(await refused.json()).toMatchObject({ message: expect.stringContaining('ask an operator') })
  expect(await statusOf(operators.list(impostor.client()))).toBe(403)

  const { projects } = await operators.removePerson(client, { email: 'Kim@operator.example' })
  expect(projects).toMatchObject([{ projectId: project, role: 'STAFF' }])
  expect((await kim.post(pathOfLink(url), account)).status).toBe(200)
  expect(await statusOf(operators.list(kim.client()))).toBe(200)
  await expect.poll(() => statusOf(operators.list(impostor.client()))).toBe(401)
  expect((await impostor.signIn(email)).status).toBe(401)
})

it('operators who are revoked or removed cannot come back by a link that they have', async () => {
  const client = await newClient('operator:read', 'operator:write')
  for (const end of ['revoke', 'remove'] as const) {
    const email = `${end}@example.com`
    const operator = await newOperator(email)
    const { url } = await operators.invite(operator.client(), { email: `second-${email}` })
    const personId = (await operators.list(client)).find((each) => each.email === email)?.personId ?? ''
    if (end === 'revoke') await operators.revoke(client, { personId })
    else await operators.removePerson(client, { email })
    expect((await new TestBrowser(fixture.gateway).fetch(pathOfLink(url))).status).toBe(404)
  }
})

it('operators replace an earlier link of the same address', async () => {
  const client = await newClient('operator:write')
  const first = await operators.invite(client, { email: 'twice@example.com' })
  const second = await operators.invite(client, { email: 'twice@example.com' })
  const open = async (url: string) => (await new TestBrowser(fixture.gateway).fetch(pathOfLink(url))).status
  expect(await open(first.url)).toBe(404)
  expect(await open(second.url)).toBe(200)
})

it('the last operator cannot be revoked by a person or a key, also when two operators revoke each other concurrently', async () => {
  const { system } = fixture.gateway.owner
  await system.updateTable('gateway.people').set({ is_operator: false }).execute()
  const browsers = [await newOperator('one@example.com'), await newOperator('two@example.com')]
  const clients = browsers.map((browser) => browser.client())
  const key = await newClient('operator:read', 'operator:write')
  const personIds = (await operators.list(key)).map(({ personId }) => personId)
  expect(personIds).toHaveLength(2)
  const revoke = (client: GatewayClient, at: number) =>
    operators.revoke(client, { personId: personIds[at] ?? '' }).then(
      () => 'revoked',
      (error) => error.reason ?? error.status,
    )
  const results = await holdOperators(2, () => clients.map((client, at) => revoke(client, 1 - at)))
  expect((await Promise.all(results)).toSorted()).toEqual(['LAST_OPERATOR', 'revoked'])

  const [last, ...others] = await operators.list(key)
  expect(others).toEqual([])
  const personId = last?.personId ?? ''
  await expect(operators.revoke(key, { personId })).rejects.toMatchObject({
    status: 409,
    reason: 'LAST_OPERATOR',
  })
  await expect(operators.removePerson(key, { email: last?.email ?? '' })).rejects.toMatchObject({
    reason: 'LAST_OPERATOR',
  })
  const other = await newOperator('three@example.com')
  expect(await operators.revoke(other.client(), { personId })).toEqual({})
})

it('the audit log of the server shows operators who invited whom as an operator and who removed an account, and is intact', async () => {
  const client = (await newOperator('inviting@example.com')).client()
  const { url } = await operators.invite(client, { email: 'kim@example.com' })
  const kim = new TestBrowser(fixture.gateway)
  await kim.post(pathOfLink(url), { name: 'Kim', password: PASSWORD })
  await recordAudit(fixture.gateway)
  const listed = await operators.list(client)
  const idOf = (email: string) => listed.find((each) => each.email === email)?.personId ?? ''
  const invitations = await serverAudit.list(client, { recordType: 'operator_invitations' })
  expect(invitations.list).toContainEqual(
    expect.objectContaining({
      actor: `person:${idOf('inviting@example.com')}`,
      action: 'CREATED',
      changes: expect.objectContaining({ email: { after: 'kim@example.com' } }),
    }),
  )
  const personId = idOf('kim@example.com')
  const people = { recordType: 'people', recordId: personId } as const
  expect((await serverAudit.list(client, people)).list).toMatchObject([
    { actor: `person:${personId}`, action: 'CREATED', changes: { is_operator: { after: true } } },
  ])
  await operators.removePerson(client, { email: 'kim@example.com' })
  await recordAudit(fixture.gateway)
  expect((await serverAudit.list(client, { ...people, action: 'DELETED' })).list).toMatchObject([
    { actor: `person:${idOf('inviting@example.com')}` },
  ])
  expect(await serverAudit.verify(client)).toMatchObject({ valid: true, entries: expect.any(Number) })
  await expect(serverAudit.list(client, { action: 'READ' })).rejects.toMatchObject({
    issues: [{ path: 'action' }],
  })
})

it('the audit log of the server is refused to owners of projects, and contains nothing of projects', async () => {
  const { projectId: project } = fixture.project
  const owner = await addPerson(fixture.gateway, { email: 'log@example.com', role: Role.OWNER, project })
  for (const client of [owner.client(project), owner.client()]) {
    await expect(serverAudit.list(client)).rejects.toMatchObject({ status: 403 })
    await expect(serverAudit.verify(client)).rejects.toMatchObject({ status: 403 })
  }
  await recordAudit(fixture.gateway)
  const reader = await newClient('operator:read')
  const types = new Set<string>()
  for await (const { recordType } of serverAudit.list.items(reader)) types.add(recordType)
  expect([...types].toSorted()).toEqual(['operator_invitations', 'people', 'people_accounts'])
})

describe('an operator', () => {
  it('an operator resolves an order that was paid too little, once, with the name and the reason in its history', async () => {
    const token = await createOwnedToken(fixture.gateway, fixture.project.projectId)
    const terms = { ...token, quantity: 10, payPrice: PRICE.toString(), payTokenAddress: fixture.chain.token }
    const { marketType, id: listingId } = await commonSales.putOnShelf(fixture.project.client, terms)
    const order = await orders.preOrder(fixture.project.client, {
      marketType,
      listingId,
      quantity: 1,
      recipient: devAccount(1).address,
    })
    await fixture.orderFixture.pay(order, await payToken(fixture, order, PRICE - 1n))
    await fixture.mineAndVerify()
    const client = (await newOperator('resolver@example.com')).client()
    const { projectId } = fixture.project
    const stuck = (await stuckOrders.list(client)).find(({ orderNo }) => orderNo === order.orderNo)
    expect(stuck).toMatchObject({ projectId, status: 'UNRESOLVED', reason: 'not_enough' })

    const decision = { projectId, orderNo: order.orderNo, reason: 'The buyer was paid back' }
    const fail = () => stuckOrders.resolve(client, { ...decision, outcome: 'failed' })
    expect(await fail()).toMatchObject({ status: 'FAILED', refundDue: false })
    expect(await fail()).toMatchObject({ status: 'FAILED', refundDue: false })
    await expect(stuckOrders.recordRefund(client, decision)).rejects.toMatchObject({
      reason: 'DECISION_REFUSED',
    })
    await expect(stuckOrders.confirmDelivery(client, decision)).rejects.toMatchObject({
      reason: 'DECISION_REFUSED',
      message: expect.stringContaining('waits for no delivery'),
    })
    const events = await fixture.gateway.owner.system
      .selectFrom('gateway.order_events')
      .select(['event', 'actor', 'reason'])
      .where('event', '=', 'resolved_failed')
      .execute()
    expect(events).toEqual([
      { event: 'resolved_failed', actor: 'resolver', reason: 'The buyer was paid back' },
    ])
  })

  it('an operator reads why a decision is refused', async () => {
    const client = await newClient('operator:read', 'operator:write')
    const decision = { projectId: fixture.project.projectId, orderNo: 'nothing', reason: 'a test' }
    await expect(stuckOrders.resolve(client, { ...decision, outcome: 'failed' })).rejects.toMatchObject({
      reason: 'DECISION_REFUSED',
      message: expect.stringContaining('There is no order nothing'),
    })
    const mint = { projectId: fixture.project.projectId, reservation: 999, reason: 'a test' }
    await expect(stuckMints.resolve(client, mint)).rejects.toMatchObject({ reason: 'DECISION_REFUSED' })
    await expect(
      stuckOrders.resolve(client, { ...decision, outcome: 'failed', withoutPayment: true }),
    ).rejects.toMatchObject({ kind: 'InvalidInput' })
    expect(await stuckMints.list(client)).toEqual([])
  })
})
