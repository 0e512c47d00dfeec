import { eventWebhooks } from '@mintmark/events'
import { runAs } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { EventSource } from '../../database/event-source.ts'
import { openTenant } from '../../database/tenant.ts'
import { resealKeys, revokeKey, rotateKey } from '../../keys/keys-store.ts'
import { createMinters } from '../../keys/minters.ts'
import { eventSources } from '../../main/composition.ts'
import { createAuction } from '../../testing/auctions.ts'
import { createCardClient } from '../../testing/cards.ts'
import { TEST_URL, type TestGateway, testGateway } from '../../testing/gateway.ts'
import { sampleProject } from '../../testing/samples/calls.ts'
import { passTimes } from '../events/passed-times.ts'
import { retryProblems } from '../events/problems.ts'
import { sequenceAllChanges } from '../events/sequencer.ts'
import { addAuditEntries } from './add-entries.ts'
import { verifyAudit } from './verify-audit.ts'

let gateway: TestGateway
let cards: ReturnType<typeof createCardClient>
beforeAll(async () => {
  gateway = await testGateway()
  cards = createCardClient(gateway)
})
afterAll(() => gateway.close())

const logged: unknown[] = []

async function sequence(sources: readonly EventSource[] = eventSources): Promise<void> {
  const log = { error: (fields: unknown) => void logged.push(fields) }
  await sequenceAllChanges({ db: gateway.owner.system, sources, addAuditEntries, publicUrl: TEST_URL, log })
}

interface Entry {
  readonly id: number
  readonly actor: string
  readonly record_type: string
  readonly record_id: string
  readonly action: string
  readonly changes: Record<string, { before?: unknown; after?: unknown }>
}

async function listEntries(project: number): Promise<Entry[]> {
  const { rows } = await sql<Entry>`
    select id, actor, record_type, record_id, action, changes from gateway.audit_entries
    where project_id = ${project} order by id`.execute(gateway.owner.system)
  return rows
}

/** Runs work and returns the entries of its changes. */
async function entriesOf(work: () => Promise<unknown>, project = gateway.key.projectId): Promise<Entry[]> {
  await sequence()
  const { length } = await listEntries(project)
  await work()
  await sequence()
  expect(await verifyAudit(gateway.owner.system, project)).toMatchObject({ problem: undefined })
  return (await listEntries(project)).slice(length)
}

it('the audit log has who created, changed and removed a record, with the columns before and after', async () => {
  let id = 0
  const created = await entriesOf(async () => {
    ;({ id } = await cards.create('promoCodeCards', { totalIssued: 5 }))
  })
  const record = { actor: `key:${gateway.key.apiKey}`, record_type: 'cards', record_id: String(id) }
  expect(created).toMatchObject([{ ...record, action: 'CREATED', changes: { total_issued: { after: 5 } } }])
  const updated = await entriesOf(() => cards.post('promoCodeCards', '/update', { id, name: 'Other' }))
  expect(updated).toMatchObject([{ ...record, action: 'UPDATED' }])
  expect(Object.keys(updated[0]?.changes ?? {}).sort()).toEqual(['name'])
  expect(updated[0]?.changes.name).toEqual({ before: expect.any(String), after: 'Other' })
  const { projectId } = await sampleProject(gateway, 'removals')
  const inserted = await entriesOf(async () => {
    await sql`insert into gateway.fans (project_id, fan, address) values (${projectId}, 'ada', 'bob')`.execute(
      gateway.owner.system,
    )
    await sql`delete from gateway.fans where project_id = ${projectId}`.execute(gateway.owner.system)
  }, projectId)
  expect(inserted).toMatchObject([
    { actor: 'server', action: 'CREATED', changes: { fan: { after: 'ada' } } },
    { actor: 'server', action: 'DELETED', changes: { fan: { before: 'ada' } } },
  ])
})

it('the audit log has neither the empty columns of a created record nor what follows from others, but each change to or from an empty value', async () => {
  let id = 0
  const [created] = await entriesOf(async () => {
    ;({ id } = await cards.create('promoCodeCards', { logoUrl: 'https://shop.example/logo.png' }))
  })
  expect(Object.keys(created?.changes ?? {}).sort()).toEqual([
    'created_at',
    'end_time',
    'logo_url',
    'name',
    'nft_address',
    'program',
    'qr_code',
    'qr_code_url',
    'start_time',
    'total_issued',
    'validity_period',
  ])
  const [updated] = await entriesOf(() =>
    gateway.owner.system
      .updateTable('gateway.cards')
      .set({ logo_url: '', deleted: true, used_count: 0, level: 'Gold' })
      .where('id', '=', id)
      .execute(),
  )
  expect(updated?.changes).toEqual({
    logo_url: { before: 'https://shop.example/logo.png', after: '' },
    deleted: { before: false, after: true },
    level: { before: '', after: 'Gold' },
  })
})

it('the audit log has one entry for all that a transaction changed of a row', async () => {
  const { id } = await cards.create('promoCodeCards', { totalIssued: 5 })
  const entries = await entriesOf(() =>
    gateway.owner.system.transaction().execute(async (trx) => {
      for (const name of ['First', 'Second', 'Third'])
        await trx.updateTable('gateway.cards').set({ name }).where('id', '=', id).execute()
    }),
  )
  expect(entries).toMatchObject([{ action: 'UPDATED', changes: { name: { after: 'Third' } } }])
})

it('the audit log has a row that a transaction inserted and deleted again as deleted', async () => {
  const project = gateway.key.projectId
  const entries = await entriesOf(() =>
    gateway.owner.system.transaction().execute(async (trx) => {
      await sql`insert into gateway.fans (project_id, fan, address) values (${project}, 'eve', 'bob')`.execute(
        trx,
      )
      await sql`delete from gateway.fans where project_id = ${project} and fan = 'eve'`.execute(trx)
    }),
  )
  expect(entries).toMatchObject([{ action: 'DELETED', changes: { fan: { before: 'eve' } } }])
})

it('the audit log has numbers of any size exactly', async () => {
  const quantity = '115792089237316195423570985008687907853269984665640564039457584007913129639935'
  const { projectId } = await sampleProject(gateway, 'numbers')
  await entriesOf(
    () =>
      sql`insert into gateway.transfers (project_id, chain_id, nft_address, nft_id, from_address, to_address, quantity)
          values (${projectId}, '1', '0xa', '1', '0xb', '0xc', ${quantity})`.execute(gateway.owner.system),
    projectId,
  )
  const { rows } = await sql<{ quantity: string }>`
      select changes -> 'quantity' ->> 'after' as quantity from gateway.audit_entries
      where project_id = ${projectId} and record_type = 'transfers'`.execute(gateway.owner.system)
  expect(rows).toEqual([{ quantity }])
})

it('the audit log of projects and keys has a new project and its key, without the secret', async () => {
  const key = await runAs('command:keys create (kim)', () => gateway.newKey({ project: 'audited' }))
  await sequence()
  const entries = await listEntries(key.projectId)
  expect(entries).toMatchObject([
    { record_type: 'projects', record_id: String(key.projectId), action: 'CREATED' },
    { record_type: 'api_keys', action: 'CREATED', changes: { api_key: { after: key.apiKey } } },
    {
      record_type: 'api_keys',
      action: 'UPDATED',
      changes: { 'secret.sealed': { after: '[redacted]' }, 'secret.id': { after: expect.any(Number) } },
    },
  ])
  expect(new Set(entries.map(({ actor }) => actor))).toEqual(new Set(['command:keys create (kim)']))
  expect(entries[2]?.record_id).toBe(entries[1]?.record_id)
})

it('the audit log of projects and keys has the rotation, the encryption and the revocation of a key', async () => {
  const { apiKey, projectId } = await gateway.newKey({ project: 'rotated' })
  const { system } = gateway.owner
  const rotated = await entriesOf(() => rotateKey(system, gateway.sealer, apiKey, 24), projectId)
  expect(rotated).toMatchObject([
    { record_type: 'api_keys', action: 'UPDATED', changes: { 'secret.retires_at': { before: null } } },
    { record_type: 'api_keys', action: 'UPDATED', changes: { 'secret.sealed': { after: '[redacted]' } } },
  ])
  const resealed = await entriesOf(
    () => sql`update gateway.api_key_secrets set sealed = sealed || 'x'`.execute(system),
    projectId,
  )
  const redacted = { before: '[redacted]', after: '[redacted]' }
  expect(resealed.map(({ changes }) => changes)).toEqual([
    { 'secret.sealed': redacted },
    { 'secret.sealed': redacted },
  ])
  await sql`update gateway.api_key_secrets set sealed = left(sealed, -1)`.execute(system)
  expect(await resealKeys(system, gateway.sealer)).toBe(0)
  const revoked = await entriesOf(() => revokeKey(system, apiKey), projectId)
  expect(revoked).toMatchObject([{ action: 'UPDATED', changes: { revoked_at: { before: null } } }])
})

it('the audit log of projects and keys does not show the reserve price of an auction, because a reader may bid', async () => {
  const project = await sampleProject(gateway, 'reserved')
  for (const reservePrice of ['777777', '0']) {
    const created = await entriesOf(() => createAuction(project, { reservePrice }), project.projectId)
    const [entry] = created.filter(({ record_type }) => record_type === 'auctions')
    expect(entry?.changes).toMatchObject({ reserve_price: { after: '[redacted]' } })
    expect(JSON.stringify(created)).not.toContain('777777')
  }
})

it('the audit log of projects and keys has the key of a minter and the secrets of a webhook as changed, without their values', async () => {
  const { projectId, client } = await sampleProject(gateway, 'sealed')
  const minted = await entriesOf(
    () => createMinters(gateway.sealer).address(openTenant(gateway.database, projectId)),
    projectId,
  )
  expect(minted).toMatchObject([
    { record_type: 'minter_keys', action: 'CREATED', changes: { sealed: { after: '[redacted]' } } },
  ])
  const hooked = await entriesOf(async () => {
    const { id } = await eventWebhooks.configure(client, { url: 'http://127.0.0.1:9/hook' })
    await eventWebhooks.rotateSecret(client, { id })
    await sql`update gateway.webhooks set next_slot_at = clock_timestamp(), failing_since = clock_timestamp()
        where id = ${id}`.execute(gateway.owner.system)
  }, projectId)
  expect(hooked).toMatchObject([
    { record_type: 'webhooks', action: 'CREATED', changes: { secret: { after: '[redacted]' } } },
    { record_type: 'webhooks', action: 'UPDATED' },
  ])
  expect(hooked[1]?.changes).toMatchObject({ secret: { before: '[redacted]', after: '[redacted]' } })
  const { rows } = await sql<{ text: string }>`
      select string_agg(changes::text, ' ') as text from gateway.audit_entries`.execute(gateway.owner.system)
  const { rows: secrets } = await sql<{ sealed: string }>`
      select sealed from gateway.minter_keys union all select secret from gateway.webhooks
      union all select sealed from gateway.api_key_secrets`.execute(gateway.owner.system)
  expect(secrets.length).toBeGreaterThan(3)
  for (const { sealed } of secrets) expect(rows[0]?.text).not.toContain(sealed)
})

it('the audit log of projects and keys has what jobs change', async () => {
  const { id } = await cards.create('eventCards')
  const entries = await entriesOf(async () => {
    await sql`update gateway.cards set time_due_at = clock_timestamp() - interval '1 second' where id = ${id}`.execute(
      gateway.owner.system,
    )
    await runAs('job:passed times', () => passTimes(gateway.owner.system))
  })
  expect(entries.at(-1)).toMatchObject({
    actor: 'job:passed times',
    record_id: String(id),
    action: 'UPDATED',
  })
})

it('a change that cannot be reported as an event is in the audit log once, also after it was retried', async () => {
  const failing = eventSources.map((source) =>
    source.table === 'cards'
      ? {
          table: 'cards',
          toEvents: () => {
            throw new Error('The record has an unknown field')
          },
        }
      : source,
  )
  await sequence()
  const { length } = await listEntries(gateway.key.projectId)
  const { id } = await cards.create('eventCards')
  await sequence(failing)
  await sequence(failing)
  const audited = (await listEntries(gateway.key.projectId)).slice(length)
  expect(audited).toMatchObject([{ record_id: String(id), action: 'CREATED' }])
  expect(await retryProblems(gateway.owner.system, {})).toBe(1)
  await sequence()
  expect((await listEntries(gateway.key.projectId)).slice(length)).toEqual(audited)
  const { rows } = await sql`select from gateway.events where subject = ${`card/${id}`}`.execute(
    gateway.owner.system,
  )
  expect(rows).toHaveLength(1)
})

it('the servers can neither add nor change nor delete entries', async () => {
  await sequence()
  const db = gateway.database.forProject(gateway.key.projectId)
  for (const statement of [
    `insert into gateway.audit_entries select * from gateway.audit_entries`,
    `update gateway.audit_entries set actor = 'nobody'`,
    'delete from gateway.audit_entries',
    'update gateway.audit_heads set sequence = 1',
    'delete from gateway.audit_heads',
    'truncate gateway.audit_entries',
  ]) {
    await expect(sql.raw(statement).execute(db), statement).rejects.toThrow('permission denied')
  }
})
