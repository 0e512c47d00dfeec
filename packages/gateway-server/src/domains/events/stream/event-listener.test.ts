import { startTestServer } from '@mintmark/devkit/testing'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { EVENTS_CHANNEL } from '../sequencer.ts'
import { type EventListenerOptions, startEventListener } from './event-listener.ts'

const stops = new AsyncDisposableStack()
let url: string
let admin: pg.Client
beforeAll(async () => {
  // The setting that makes open sessions read-only is one of the whole server.
  const server = await startTestServer()
  stops.defer(() => server.stop())
  url = server.url
  admin = new pg.Client({ connectionString: url })
  await admin.connect()
  stops.defer(() => admin.end())
  await admin.query(
    'create schema gateway; create table gateway.event_counts (project_id bigint, newest bigint)',
  )
})
afterAll(() => stops.disposeAsync())

async function start(options: Partial<EventListenerOptions>) {
  const woken: number[] = []
  const feeds = {
    wake: (projects: readonly number[]) => void woken.push(...projects),
    listNewest: () => new Map(),
    compare: () => {},
  }
  const warn = vi.fn()
  const listener = startEventListener({ url, feeds, log: { warn }, pollMs: 20, ...options })
  onTestFinished(() => listener.stop())
  await listener.ready
  return { woken, warn }
}

async function listListeners(): Promise<number[]> {
  const { rows } = await admin.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'mintmark-gateway-listener'`,
  )
  return rows.map(({ pid }) => pid)
}

it('leaves a server that becomes read-only, and listens again on one that accepts writes', async () => {
  const { woken, warn } = await start({})
  const before = await listListeners()
  await admin.query('alter system set default_transaction_read_only = on')
  await admin.query('select pg_reload_conf()')
  await expect.poll(listListeners).not.toEqual(before)
  await expect.poll(() => warn.mock.calls.length).toBeGreaterThan(1)
  expect(warn.mock.calls[0]?.[0]).toMatchObject({ err: { name: 'ReadOnlyDatabaseError' } })
  await admin.query('set default_transaction_read_only = off')
  await admin.query('alter system reset default_transaction_read_only')
  await admin.query('select pg_reload_conf()')
  await expect
    .poll(async () => {
      await admin.query(`notify ${EVENTS_CHANNEL}, '[7]'`)
      return woken
    })
    .toContain(7)
})

it('opens a connection again when its lifetime ends, which is no failure', async () => {
  const { warn } = await start({ maxLifetimeMs: 50 })
  const before = await listListeners()
  await expect.poll(listListeners).not.toEqual(before)
  expect(warn).not.toHaveBeenCalled()
})
