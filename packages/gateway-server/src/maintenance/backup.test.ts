import { createLog, createSecretKey, readEnvironment } from '@mintmark/server-kit'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { startGateway } from '../main/server.ts'
import { createGatewayDatabase } from '../testing/gateway.ts'

it('a backup, which locks every table, neither keeps a server from starting nor stops other maintenance', async () => {
  const place = await createGatewayDatabase()
  onTestFinished(() => place.drop())
  const owner = new pg.Client({ connectionString: place.url })
  await owner.connect()
  onTestFinished(() => owner.end())
  const count = async (query: string) => (await owner.query(query)).rowCount
  await owner.query("insert into gateway.projects (name) values ('shop')")
  await owner.query(
    `insert into gateway.idempotency_keys (project_id, operation, key, request_hash, status, body, created_at)
     select id, 'orders.preOrder', 'old', '', 200, '{}', clock_timestamp() - interval '2 days' from gateway.projects`,
  )
  await owner.query(`
    create table gateway.events_20260101 partition of gateway.events
    for values from ('2026-01-01T00:00:00Z') to ('2026-01-02T00:00:00Z')`)
  const backup = new pg.Client({ connectionString: place.url })
  await backup.connect()
  onTestFinished(() => backup.end())
  await backup.query('begin')
  // As pg_dump does for all tables.
  await backup.query('lock table gateway.events in access share mode')

  const settings = { DATABASE_URL: place.url, SECRET_KEYS: createSecretKey('k1'), GATEWAY_PORT: '0' }
  const lines: string[] = []
  const log = createLog('gateway', 'warn', { write: (line: string) => void lines.push(line) })
  const gateway = await startGateway(readEnvironment(settings), log)
  onTestFinished(() => gateway.close())
  expect((await fetch(`${gateway.url}/health`)).status).toBe(200)
  expect(lines.join()).toContain('events: canceling statement due to lock timeout')
  expect(await count("select from gateway.idempotency_keys where key = 'old'")).toBe(0)

  await backup.query('rollback')
  await gateway.runJobs()
  expect(await count("select from pg_class where relname = 'events_20260101'")).toBe(0)
})
