// What operators read about work that waits: webhooks that were disabled, payments of several projects, and locks of the database.
import { serverHealth } from '@mintmark/admin'
import type { GatewayClient } from '@mintmark/operation'
import { openDatabase } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Tables } from '../tables.ts'
import type { TestKey } from '../testing/gateway.ts'
import { createOrder, orderLike, payToken } from '../testing/payment-cases.ts'
import { type PaymentFixture, paymentFixture } from '../testing/payment-fixture.ts'
import { clientOf } from '../testing/samples/calls.ts'

let fixture: PaymentFixture
let operator: TestKey
let client: GatewayClient
beforeAll(async () => {
  fixture = await paymentFixture()
  operator = await fixture.gateway.newKey({ project: 'operations', scopes: ['operator:read'] })
  client = clientOf(fixture.gateway, operator)
})
afterAll(() => fixture?.close())

describe('serverHealth.get', () => {
  it('lists nothing that waits while nothing does', async () => {
    const health = await serverHealth.get(client)
    expect(health).toMatchObject({ disabledWebhooks: [], sharedPayments: [], blockedSessions: [] })
  })

  it('names the block of a chain at which the indexer cannot continue', async () => {
    const { openedChains, chain, gateway } = fixture
    const chainId = String(chain.chainId)
    const app = await gateway.another({ openedChains, listUnreadableBlocks: () => new Map([[chainId, 7]]) })
    const { chains } = await serverHealth.get(clientOf({ ...gateway, app }, operator))
    expect(chains).toMatchObject([{ chainId, problem: '', unreadableBlock: 7 }])
  })

  it('lists webhooks of all projects that were disabled, with what the receiver responded last', async () => {
    const { system } = fixture.gateway.owner
    const projects = [fixture.project.projectId, fixture.other.project.projectId]
    for (const [index, project] of projects.entries()) {
      const failingSince = `2026-03-0${index + 1}T00:00:00Z`
      await sql`
        with webhook as (
          insert into gateway.webhooks (project_id, url, secret, status, failing_since)
          values (${project}, ${`https://shop.example/${project}`}, '', 'DISABLED', ${failingSince}::timestamptz)
          returning project_id, id
        )
        insert into gateway.webhook_deliveries (project_id, webhook_id, event_type, status, attempts, attempt_log, error)
        select w.project_id, w.id, 'webhook.test', d.status, d.attempts, d.log::jsonb, d.error
        from webhook w, (values
          ('DELIVERED', 1, '[{"status":200,"error":""}]', ''),
          ('FAILED', 2, '[{"status":0,"error":"No connection"},{"status":500,"error":"The status was 500"}]', 'disabled'),
          ('FAILED', 0, '[]', 'disabled')) d (status, attempts, log, error)`.execute(system)
    }
    await sql`insert into gateway.webhooks (project_id, url, secret) values (${projects[0]}, 'https://works.example', '')`.execute(
      system,
    )
    const { disabledWebhooks } = await serverHealth.get(client)
    expect(disabledWebhooks).toEqual(
      projects
        .map((projectId, index) => ({
          ...{ projectId, webhookId: expect.any(Number), url: `https://shop.example/${projectId}` },
          ...{ failingSince: `2026-03-0${index + 1}T00:00:00.000Z` },
          ...{ problem: 'The status was 500', failedDeliveries: 2 },
        }))
        .toReversed(),
    )
  })

  it('lists payments that orders of several projects count, with these orders', async () => {
    const { order } = await createOrder(fixture)
    const theirs = await orderLike({ ...fixture, ...fixture.other }, order, { payPrice: '1' })
    const hash = await payToken(fixture, order)
    await fixture.other.orderFixture.pay(theirs, hash)
    await fixture.mineAndVerify()
    expect((await serverHealth.get(client)).sharedPayments).toEqual([])
    await fixture.orderFixture.pay(order, hash)
    await fixture.orderFixture.verify()
    const { sharedPayments } = await serverHealth.get(client)
    expect(sharedPayments).toEqual([
      {
        ...{ chainId: String(fixture.chain.chainId), hash, countTime: expect.any(String) },
        orders: [
          { projectId: fixture.other.project.projectId, orderNo: theirs.orderNo },
          { projectId: fixture.project.projectId, orderNo: order.orderNo },
        ],
      },
    ])
  })

  it('lists statements that wait for a lock, with the session that has it', async () => {
    const database = openDatabase<Tables>({ url: fixture.gateway.url, max: 2, applicationName: 'shop' })
    const [holder, waiting] = [await database.pool.connect(), await database.pool.connect()]
    const statement = 'select pg_advisory_xact_lock(4711)'
    const readBlocked = async () => (await serverHealth.get(client)).blockedSessions
    try {
      await holder.query('begin')
      await holder.query(statement)
      const locked = waiting.query(statement)
      const session = { sessionId: expect.any(Number), program: 'shop', statement }
      const blocker = { ...session, state: 'idle in transaction', transactionSeconds: expect.any(Number) }
      await expect
        .poll(readBlocked)
        .toEqual([{ ...session, waitingSeconds: expect.any(Number), blockers: [blocker] }])
      await holder.query('rollback')
      await locked
      expect(await readBlocked()).toEqual([])
    } finally {
      await holder.query('rollback')
      holder.release()
      waiting.release()
      await database.close()
    }
  })
})
