import { promoCodeCards } from '@mintmark/cards'
import { accountClient, devUsdcAbi } from '@mintmark/devkit'
import { createTestDatabase } from '@mintmark/devkit/testing'
import { ServerError } from '@mintmark/envelope'
import { signTestWebhook } from '@mintmark/events'
import { payments } from '@mintmark/facilitator'
import pg from 'pg'
import { getAddress } from 'viem'
import { afterAll, beforeEach, expect, it, vi } from 'vitest'
import { startSandbox } from './sandbox.ts'

const sandbox = await startSandbox()
afterAll(() => sandbox.stop())
beforeEach(() => sandbox.reset())

const { gateway, facilitator, accounts } = sandbox
const client = accountClient(sandbox.chain.rpcUrl, accounts.buyer)

const createCard = (name: string, to = gateway) =>
  promoCodeCards.create(to, {
    name,
    nftAddress: '0x00000000000000000000000000000000000000aa',
    startTime: '2026-01-01T00:00:00Z',
    endTime: '2099-01-01T00:00:00Z',
    totalIssued: 1,
  })
const listNames = async () => (await promoCodeCards.list(gateway)).list.map(({ name }) => name)
const settle = async () =>
  payments.settle(facilitator, await sandbox.signPayment({ payTo: accounts.creator.address }))
const getTokens = (owner: string) =>
  client.readContract({
    address: getAddress(sandbox.chain.token),
    abi: devUsdcAbi,
    functionName: 'balanceOf',
    args: [getAddress(owner)],
  })

it('sandbox.reset removes what was created, and the keys stay valid', async () => {
  await createCard('one')
  expect(await listNames()).toEqual(['one'])
  await sandbox.reset()
  expect(await listNames()).toEqual([])
  await createCard('two')
  expect(await listNames()).toEqual(['two'])
})

it('sandbox.reset does not let a list return the count of before', async () => {
  // Larger counts than 100 are cached.
  for (let row = 0; row < 15; row++) {
    await Promise.all(Array.from({ length: 7 }, (_, index) => createCard(`card ${row} ${index}`)))
  }
  expect((await promoCodeCards.list(gateway)).totalRow).toBe(105)
  await sandbox.reset()
  expect((await promoCodeCards.list(gateway)).totalRow).toBe(0)
})

it('sandbox.reset restores the balances of the accounts and the facilitator, which continues to settle', async () => {
  const before = await Promise.all(
    [accounts.payer, accounts.creator].map(({ address }) => getTokens(address)),
  )
  expect(await settle()).toMatchObject({ success: true })
  expect(await getTokens(accounts.creator.address)).toBe((before[1] ?? 0n) + 10_000n)
  await sandbox.reset()
  const after = await Promise.all([accounts.payer, accounts.creator].map(({ address }) => getTokens(address)))
  expect(after).toEqual(before)
  expect(await settle()).toMatchObject({ success: true })
})

it('sandbox.reset forgets received webhooks and continues to receive', async () => {
  await createCard('one')
  await sandbox.webhooks.waitFor('card.created')
  await sandbox.reset()
  expect(sandbox.webhooks.received()).toEqual([])
  await createCard('two')
  expect((await sandbox.webhooks.waitFor('card.created')).data.card).toMatchObject({ name: 'two' })
})

it('sandbox.reset ignores a webhook of before that arrives late, because its delivery was in progress', async () => {
  await createCard('one')
  const event = await sandbox.webhooks.waitFor('card.created')
  await sandbox.reset()
  const secret = 'whsec_dGVzdA=='
  sandbox.webhooks.trust(secret)
  const { body, headers } = await signTestWebhook(event, secret)
  const { status } = await fetch(sandbox.webhooks.url, { method: 'POST', body, headers })
  expect([status, sandbox.webhooks.received()]).toEqual([204, []])
  // The events of the gateway have the same numbers again.
  await createCard('two')
  const repeated = await sandbox.webhooks.waitFor('card.created')
  expect([repeated.id, repeated.data.card]).toMatchObject([event.id, { name: 'two' }])
})

it('sandbox.reset ends faults', async () => {
  sandbox.faults.facilitator('unavailable')
  await sandbox.reset()
  expect(await settle()).toMatchObject({ success: true })
})

it('sandbox.reset can be called while calls are in progress', async () => {
  const calls = Array.from({ length: 8 }, (_, index) => createCard(`card ${index}`))
  await sandbox.reset()
  // A reset can remove the contract of a call that has found it: the call fails, and nothing else.
  const isAnswered = (error: unknown) => expect(error).toBeInstanceOf(ServerError)
  await Promise.all(calls.map((call) => call.catch(isAnswered)))
  await sandbox.reset()
  expect(await listNames()).toEqual([])
})

/** `waitFor` gives up after a second otherwise. */
const WAIT = { timeout: 170_000, interval: 20 }

/** A sandbox on a database of its own, with another connection of a superuser. */
async function startOwn() {
  const stops = new AsyncDisposableStack()
  const { url: databaseUrl, drop } = await createTestDatabase()
  stops.defer(drop)
  const own = stops.use(await startSandbox({ databaseUrl }))
  const admin = new pg.Client({ connectionString: databaseUrl })
  await admin.connect()
  stops.defer(() => admin.end())
  return { own, admin, [Symbol.asyncDispose]: () => stops.disposeAsync() }
}

it('a database that ends idle connections ends neither the process nor the sandbox', async () => {
  await using parts = await startOwn()
  const { own, admin } = parts
  await admin.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  await own.reset()
  expect((await promoCodeCards.list(own.gateway)).totalRow).toBe(0)
})

it('a database that ends connections delays a reset that uses one of them', async () => {
  await using parts = await startOwn()
  const { own, admin } = parts
  await createCard('deleted', own.gateway)
  // Only a reset waits for this lock.
  await admin.query('begin; lock table gateway.cards in row share mode')
  const reset = own.reset()
  await vi.waitFor(async () => {
    // A transaction sees the activity of its first look otherwise.
    await admin.query('select pg_stat_clear_snapshot()')
    const { rowCount } = await admin.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock' and query like 'begin;%lock table%'",
    )
    expect(rowCount).toBe(1)
  }, WAIT)
  await admin.query('rollback')
  await reset
  expect((await promoCodeCards.list(own.gateway)).totalRow).toBe(0)
})

it('reset waits for events that a server is storing, which would otherwise be there afterwards', async () => {
  await using parts = await startOwn()
  const { own, admin } = parts
  // The gateway has read the changes of rows, which the reset deletes.
  await admin.query("begin; select pg_advisory_xact_lock(hashtextextended('gateway.events', 0))")
  let isReset = false
  const reset = own.reset().then(() => {
    isReset = true
  })
  await vi.waitFor(async () => {
    const { rowCount } = await admin.query(
      "select from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())",
    )
    expect(isReset || rowCount === 1).toBe(true)
  }, WAIT)
  await admin.query(`
    insert into gateway.event_counts select id, 1000 from gateway.projects on conflict do nothing;
    insert into gateway.events (project_id, sequence, type, subject, occurred_at, data)
      select id, 1000, 'card.created', 'card/1', now(), '{}' from gateway.projects;
    commit`)
  await reset
  const { rows } = await admin.query('select from gateway.events where sequence = 1000')
  expect(rows).toEqual([])
})

it('a snapshot is restored any number of times', async () => {
  await createCard('kept')
  const snapshot = await sandbox.snapshot()
  for (const name of ['first', 'second']) {
    await createCard(name)
    expect(await listNames()).toHaveLength(2)
    await snapshot.restore()
    expect(await listNames()).toEqual(['kept'])
  }
  await sandbox.reset()
  expect(await listNames()).toEqual([])
})
