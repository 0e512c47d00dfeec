// What operators read about work that waits: webhooks that were disabled, payments of several projects, and
// locks of the database.
import { serverHealth } from '@mintmark/admin'
import { startStubNode, withBlockedSessions } from '@mintmark/devkit/testing'
import { openChains } from '@mintmark/evm-reader'
import type { GatewayClient } from '@mintmark/operation'
import { listBlockedSessions, openDatabase } from '@mintmark/server-kit'
import { CompiledQuery, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Tables } from '../database/tables.ts'
import { listDisabledWebhooks } from '../domains/webhooks/disabled-webhooks.ts'
import type { TestKey } from '../testing/gateway.ts'
import { captureStatements, countRowsTouched, type Plan } from '../testing/list-statements.ts'
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
  it('serverHealth.get lists nothing that waits while nothing does', async () => {
    const health = await serverHealth.get(client)
    expect(health).toMatchObject({
      disabledWebhooks: [],
      sharedPayments: [],
      blockedSessions: [],
    })
  })

  it('serverHealth.get names the block of a chain at which the indexer cannot continue', async () => {
    const { openedChains, chain, gateway } = fixture
    const chainId = String(chain.chainId)
    const app = await gateway.another({ openedChains, listUnreadableBlocks: () => new Map([[chainId, 7]]) })
    const { chains } = await serverHealth.get(clientOf({ ...gateway, app }, operator))
    expect(chains).toMatchObject([{ chainId, problem: '', unreadableBlock: 7 }])
  })

  it('serverHealth.get names the nodes of a chain that do not respond, as /ready does, without their addresses', async () => {
    const { chain, gateway, node } = fixture
    const silent = await startStubNode({ silent: true })
    const rpcUrls = [`${silent.url}/secret-key`, node.url]
    const config = { id: chain.chainId, rpcUrls, finality: { depth: 1 }, requestTimeoutMs: 300 }
    const app = await gateway.another({ openedChains: openChains([config]) })
    const read = async () => (await serverHealth.get(clientOf({ ...gateway, app }, operator))).chains
    await expect
      .poll(read)
      .toMatchObject([
        { problem: '', nodes: [{ problem: expect.stringContaining('did not send') }, { problem: '' }] },
      ])
    const ready = await app.request('/ready')
    const network = `eip155:${chain.chainId}`
    expect([ready.status, await ready.json()]).toMatchObject([
      200,
      { status: 'ok', chains: { readable: [network], unresponsiveNodes: [{ network, node: 1 }] } },
    ])
    expect(JSON.stringify(await read())).not.toContain('secret-key')
    await silent.close()
  })

  it('serverHealth.get lists webhooks of all projects that were disabled, with what the receiver responded last', async () => {
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
          projectId,
          webhookId: expect.any(Number),
          url: `https://shop.example/${projectId}`,
          failingSince: `2026-03-0${index + 1}T00:00:00.000Z`,
          problem: 'The status was 500',
          failedDeliveries: 2,
        }))
        .toReversed(),
    )
  })

  it('serverHealth.get reads few of the many deliveries of a disabled webhook', async () => {
    const { system } = fixture.gateway.owner
    const { projectId } = fixture.project
    await sql`
      with webhook as (
        insert into gateway.webhooks (project_id, url, secret, status, failing_since)
        values (${projectId}, 'https://busy.example', '', 'DISABLED', '2026-04-01T00:00:00Z')
        returning project_id, id
      )
      insert into gateway.webhook_deliveries (project_id, webhook_id, event_type, status, attempts, attempt_log, created_at)
      select w.project_id, w.id, 'webhook.test', case when n <= 20000 then 'DELIVERED' else 'FAILED' end,
        case when n <= 20010 then 1 else 0 end, ${JSON.stringify([{ status: 500, error: 'The status was 500' }])}::jsonb,
        '2026-03-01T00:00:00Z'::timestamptz + make_interval(secs => n)
      from webhook w, generate_series(1, 20020) n`.execute(system)
    await sql`analyze gateway.webhook_deliveries`.execute(system)
    const { disabledWebhooks } = await serverHealth.get(client)
    expect(disabledWebhooks.find(({ url }) => url === 'https://busy.example')).toMatchObject({
      problem: 'The status was 500',
      failedDeliveries: 20,
    })
    const statements = await captureStatements(() => listDisabledWebhooks(system, 100))
    const [statement] = statements.filter(({ text }) => text.includes('DISABLED'))
    if (statement === undefined) throw new Error('No statement lists the webhooks')
    const explain = CompiledQuery.raw(`explain (analyze, timing off, format json) ${statement.text}`, [
      ...statement.values,
    ])
    const { rows } = await system.executeQuery<{ 'QUERY PLAN': [{ Plan: Plan }] }>(explain)
    const touched = rows.map((row) => countRowsTouched(row['QUERY PLAN'][0].Plan))
    expect(touched).toEqual([expect.any(Number)])
    expect(touched[0]).toBeLessThan(10_000)
  })

  it('serverHealth.get lists payments that orders of several projects count, with these orders', async () => {
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
        chainId: String(fixture.chain.chainId),
        hash,
        countTime: expect.any(String),
        orders: [
          { projectId: fixture.other.project.projectId, orderNo: theirs.orderNo },
          { projectId: fixture.project.projectId, orderNo: order.orderNo },
        ],
      },
    ])
  })

  it('serverHealth.get lists statements that wait for a lock, with the session that has it', async () => {
    const database = openDatabase<Tables>({
      url: fixture.gateway.url,
      max: 2,
      applicationName: 'mintmark-shop',
    })
    const [holder, waiting] = [await database.pool.connect(), await database.pool.connect()]
    const statement = 'select pg_advisory_xact_lock(4711)'
    const readBlocked = async () => (await serverHealth.get(client)).blockedSessions
    try {
      await holder.query('begin')
      await holder.query(statement)
      const locked = waiting.query(statement)
      const session = { sessionId: expect.any(Number), program: 'mintmark-shop', statement }
      const blocker = {
        ...session,
        state: 'idle in transaction',
        transactionSeconds: expect.any(Number),
        databaseRole: expect.any(String),
        startTime: expect.any(String),
        isEndable: true,
      }
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

  it('serverHealth.get shows no statements of other programs that wait for a lock or have it', async () => {
    await withBlockedSessions({ url: fixture.gateway.url }, async () => {
      const session = { program: 'shop', statement: '' }
      await expect
        .poll(async () => (await serverHealth.get(client)).blockedSessions)
        .toMatchObject([{ ...session, blockers: [session] }])
    })
  })

  it('serverHealth.get determines once for each listed session of the database by whom it is blocked', async () => {
    await withBlockedSessions({ url: fixture.gateway.url, count: 3 }, async () => {
      const reader = openDatabase<Tables>({ url: fixture.gateway.url, max: 1, applicationName: 'reader' })
      try {
        await sql.raw(COUNTED_BLOCKERS).execute(reader.system)
        await expect.poll(() => listBlockedSessions(reader.system, 20)).toHaveLength(3)
        await sql`alter sequence counted.calls restart`.execute(reader.system)
        await listBlockedSessions(reader.system, 2)
        const { rows } = await sql`select last_value::int from counted.calls`.execute(reader.system)
        expect(rows).toEqual([{ last_value: 2 }])
      } finally {
        await sql`drop schema if exists counted cascade`.execute(reader.system)
        await reader.close()
      }
    })
  })
})

/** A function that counts its calls, and precedes PostgreSQL's of this name on the connection. */
const COUNTED_BLOCKERS = `
  create schema counted;
  create sequence counted.calls;
  create function counted.pg_blocking_pids(int) returns int[] language sql volatile
    as $$ select nextval('counted.calls'); select pg_catalog.pg_blocking_pids($1) $$;
  set search_path = counted, pg_catalog`
