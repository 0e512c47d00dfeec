import { promoCodeCards } from '@mintmark/cards'
import type pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { openGatewayDatabase } from '../database/database.ts'
import { verifyAudit } from '../domains/audit/verify-audit.ts'
import { sequenceEvents } from '../testing/event-streams.ts'
import { createGatewayDatabase, type TestGateway, testGateway } from '../testing/gateway.ts'
import { type Input, rawCallOf, sampleProject } from '../testing/samples/calls.ts'
import { samples } from '../testing/samples/index.ts'
import { newAddress, type SampleProject } from '../testing/samples/sample.ts'
import { copyChanges, copyRows } from './copy-rows.ts'
import { holdProject } from './hold-project.ts'
import { type Move, moveProject, undoMove } from './move-project.ts'
import { readTables } from './tables.ts'

interface Cells {
  readonly gateway: TestGateway
  readonly project: SampleProject
  readonly move: Move
  /** The other cell. */
  readonly target: ReturnType<typeof openGatewayDatabase>
}

async function createCells(): Promise<Cells> {
  const gateway = await testGateway()
  onTestFinished(() => gateway.close())
  const place = await createGatewayDatabase()
  onTestFinished(() => place.drop())
  const target = openGatewayDatabase({ url: place.url, max: 2 })
  onTestFinished(() => target.close())
  const project = await sampleProject(gateway, 'moves')
  const move = {
    project: project.projectId,
    cell: 'b',
    source: gateway.owner.pool,
    target: target.pool,
    log: () => {},
  }
  return { gateway, project, move, target }
}

/** Reads all rows of a project, by their tables. */
async function readRows(pool: pg.Pool, project: number): Promise<Record<string, string[]>> {
  const client = await pool.connect()
  const all: Record<string, string[]> = {}
  for (const { name } of (await readTables(client)).filter(({ isOfProjects }) => isOfProjects)) {
    const { rows } = await client.query<{ row: string }>(
      `select t::text as row from ${name} t where project_id = ${project} order by 1`,
    )
    if (rows.length > 0) all[name] = rows.map(({ row }) => row)
  }
  client.release()
  return all
}

const card = () => ({
  name: 'Coffee',
  nftAddress: newAddress(),
  startTime: '2026-01-01T00:00:00Z',
  endTime: '2126-01-01T00:00:00Z',
  totalIssued: 1,
})

it('a moved project has all rows of every table in the other cell, and only its keys in this one', async () => {
  const { gateway, project, move, target } = await createCells()
  const other = await sampleProject(gateway, 'stays')
  for (const { operation, input } of samples)
    for (const each of [project, other]) {
      const call = rawCallOf(operation, (await input(each)) as Input)
      const { status, text } = await each.key.call(call)
      expect(status, text).toBe(200)
    }
  await promoCodeCards.create(project.client, card(), { idempotencyKey: 'once' })
  await sequenceEvents(gateway)
  const [before, ofOther] = [
    await readRows(move.source, project.projectId),
    await readRows(move.source, other.projectId),
  ]
  expect(Object.keys(before).length).toBeGreaterThan(50)
  await moveProject(move)
  expect(await readRows(move.target, project.projectId)).toEqual(before)
  expect(await readRows(move.source, other.projectId)).toEqual(ofOther)
  const left = Object.keys(await readRows(move.source, project.projectId))
  expect(left).toEqual(['gateway.api_key_secrets', 'gateway.api_keys', 'gateway.publishable_keys'])
  const { problem, entries } = await verifyAudit(target.system, project.projectId)
  expect(problem).toBeUndefined()
  expect(entries).toBeGreaterThan(100)
})

/**
 * A pool whose connections return rows that have no order in reverse, as workers of PostgreSQL may. Something is
 * created before each connection.
 */
function useWhileConnecting(pool: pg.Pool, create = async () => {}): pg.Pool {
  const connect = async () => {
    await create()
    const client = await pool.connect()
    const { query } = Object.getPrototypeOf(client) as pg.PoolClient
    const reverse = (text: string, ...rest: unknown[]) => {
      const result = Reflect.apply(query, client, [text, ...rest])
      // The pool has a callback.
      if (rest.length > 1 || text.includes('order by')) return result
      return result.then((each: pg.QueryResult) => ({ ...each, rows: each.rows?.toReversed() }))
    }
    return Object.assign(client, { query: reverse })
  }
  return Object.create(pool, { connect: { value: connect }, query: { value: pool.query.bind(pool) } })
}

it('a project that is used during its move loses nothing, in whichever order PostgreSQL counts its tables', async () => {
  const { project, move } = await createCells()
  let created = 0
  const source = useWhileConnecting(move.source, async () => {
    try {
      await promoCodeCards.create(project.client, card())
      created += 1
    } catch (error) {
      expect(error).toMatchObject({ reason: expect.stringMatching(/^PROJECT_MOV(ED|ING)$/) })
    }
  })
  await moveProject({ ...move, source, target: useWhileConnecting(move.target) })
  const { rows } = await move.target.query('select from gateway.cards where project_id = $1', [
    project.projectId,
  ])
  expect([rows.length, created > 2]).toEqual([created, true])
})

it('a project that is held refuses writes, and after the move all calls, while others are served', async () => {
  const { gateway, project, move, target } = await createCells()
  const other = await sampleProject(gateway, 'stays')
  await promoCodeCards.create(project.client, card())
  await holdProject(move.source, move.project, move.cell)
  await expect(promoCodeCards.create(project.client, card())).rejects.toMatchObject({
    status: 503,
    reason: 'PROJECT_MOVING',
    retryAfter: 1,
  })
  await promoCodeCards.list(project.client)
  await promoCodeCards.create(other.client, card())
  // Nobody reports a change of it here: the other cell does, and once.
  await sequenceEvents(gateway)
  await moveProject(move)
  for (const call of [
    () => promoCodeCards.list(project.client),
    () => promoCodeCards.create(project.client, card()),
  ])
    await expect(call()).rejects.toMatchObject({
      status: 421,
      reason: 'PROJECT_MOVED',
      detail: { cell: 'b' },
    })
  await promoCodeCards.create(other.client, card())
  // As a server does that has checked the key before the move, and was suspended since.
  const write = move.source.query('insert into gateway.wallet_info (project_id, address) values ($1, $2)', [
    project.projectId,
    newAddress(),
  ])
  await expect(write).rejects.toMatchObject({ code: 'MM002', detail: 'b' })
  const { rows } = await target.pool.query('select id from gateway.row_changes where project_id = $1', [
    project.projectId,
  ])
  expect(rows.length).toBeGreaterThan(0)
})

it('a move that ended before the other cell had the project is undone, and nothing of it is there', async () => {
  const { project, move } = await createCells()
  await holdProject(move.source, move.project, move.cell)
  await expect(undoMove({ ...move, cell: 'c' })).rejects.toThrow('--cell: the project moves to b')
  await undoMove(move)
  await promoCodeCards.create(project.client, card())
  expect(await readRows(move.target, project.projectId)).toEqual({})
  await moveProject(move)
  await expect(undoMove(move)).rejects.toThrow('The cell b has the project')
})

it('a project moves back to the cell where its keys stayed', async () => {
  const { project, move } = await createCells()
  await promoCodeCards.create(project.client, card())
  await moveProject(move)
  const there = await readRows(move.target, project.projectId)
  await moveProject({ ...move, cell: 'a', source: move.target, target: move.source })
  expect(await readRows(move.source, project.projectId)).toEqual(there)
  await promoCodeCards.create(project.client, card())
  // The command ends before it has removed the triggers of an earlier move.
  await holdProject(move.source, move.project, move.cell)
  await move.source.query(`update gateway.projects set state = 'ACTIVE', cell = '' where id = $1`, [
    move.project,
  ])
  await promoCodeCards.create(project.client, card())
  const client = await move.source.connect()
  await client.query(`begin; set local mintmark.actor = 'job:maintenance'`)
  const { rowCount } = await client.query(`update gateway.cards set name = 'Tea' where project_id = $1`, [
    move.project,
  ])
  await client.query('rollback')
  client.release()
  expect(rowCount).toBe(3)
})

it('a database that has another project with the id does not get one', async () => {
  const { project, move } = await createCells()
  await move.target.query(
    `insert into gateway.projects (id, name) overriding system value values ($1, 'other')`,
    [project.projectId],
  )
  await expect(moveProject(move)).rejects.toThrow(
    `--to: the database has another project ${project.projectId}`,
  )
  await promoCodeCards.create(project.client, card())
})

it('the transfers of an indexed contract come with its balances and deliveries, under ids of the other cell', async () => {
  const { project, move } = await createCells()
  const address = newAddress()
  await move.source.query(`
    insert into gateway.contracts (project_id, chain_id, nft_address, nft_type, name, indexed)
      values (${project.projectId}, '1', '${address}', 'ERC721', 'T', true);
    insert into gateway.indexed_contracts values ('1', '${address}', 7);
    insert into gateway.chain_cursors (chain_id, next_block, holder, lease_until) values ('1', 7, 'a', now());
    insert into gateway.chain_balances values ('1', '${address}', '1', '0xb', 1, 5);
    insert into gateway.chain_transfers (chain_id, block_number, block_time, tx_hash, log_index, batch_index,
      nft_address, nft_id, from_address, to_address, quantity)
      values ('1', 5, '2020-01-01', '0xh', 0, 0, '${address}', '1', '0xa', '0xb', 1);
    set session_replication_role = replica;
    insert into gateway.deliveries select ${project.projectId}, 1, id, 1 from gateway.chain_transfers;
    reset session_replication_role`)
  await moveProject(move)
  const { rows } = await move.target.query(`
    select t.tx_hash, i.next_block, b.owner, c.next_block as chain from gateway.deliveries d
    join gateway.chain_transfers t on t.id = d.transfer_id
    join gateway.indexed_contracts i using (chain_id, nft_address)
    join gateway.chain_balances b using (chain_id, nft_address)
    join gateway.chain_cursors c using (chain_id)`)
  expect(rows).toEqual([{ tx_hash: '0xh', next_block: 7, owner: '0xb', chain: 7 }])
  const { rows: left } = await move.source.query('select from gateway.chain_transfers')
  expect(left).toEqual([])
})

it('a person who is known in the other cell by the email address is the member there', async () => {
  const { project, move } = await createCells()
  for (const [pool, prefix] of [
    [move.source, 'a'],
    [move.target, 'b'],
  ] as const)
    await pool.query(
      `insert into gateway.people (id, name, email) values ('${prefix}1', 'Kim', 'kim@x.example')`,
    )
  await move.source.query(`
    insert into gateway.people (id, name, email, is_operator) values ('a2', 'Lee', 'lee@x.example', true);
    insert into gateway.people_accounts (id, person_id, account_id, provider_id) values ('p2', 'a2', 'a2', 'credential');
    insert into gateway.members (project_id, person_id, role)
      select ${project.projectId}, id, 'OWNER' from gateway.people`)
  await moveProject(move)
  const { rows } = await move.target.query(`
    select p.id, p.is_operator, a.id as account from gateway.members m join gateway.people p on p.id = m.person_id
    left join gateway.people_accounts a on a.person_id = p.id order by p.id`)
  expect(rows).toEqual([
    { id: 'a2', is_operator: false, account: 'p2' },
    { id: 'b1', is_operator: false, account: null },
  ])
})

it('copies rows that were inserted, changed and deleted since the copy before', async () => {
  const { project, move } = await createCells()
  const source = await move.source.connect()
  const target = await move.target.connect()
  onTestFinished(() => {
    source.release()
    target.release()
  })
  const id = project.projectId
  await source.query(`
    insert into gateway.idempotency_keys (project_id, operation, key, request_hash, status, body)
    select ${id}, 'o', n::text, '', 200, 'first' from generate_series(1, 2500) n`)
  const [table] = (await readTables(source)).filter(({ name }) => name === 'gateway.idempotency_keys')
  if (table === undefined) throw new Error('There is no table')
  const rows = { table, where: `t.project_id = ${id}` }
  await source.query('begin isolation level repeatable read')
  await target.query('begin; set local session_replication_role = replica')
  const { rows: snapshots } = await source.query<{ oldest: string }>(
    'select pg_snapshot_xmin(pg_current_snapshot())::text as oldest',
  )
  expect(await copyRows({ source, target }, rows)).toBe(2500)
  await source.query('commit')
  await source.query(`
    delete from gateway.idempotency_keys where key in ('1', '2', '3');
    update gateway.idempotency_keys set body = 'second' where key = '4';
    update gateway.idempotency_keys set key = '2' where key = '5';
    insert into gateway.idempotency_keys (project_id, operation, key, request_hash, status, body)
    values (${id}, 'o', '1', '', 200, 'third')`)
  await source.query('begin')
  expect(await copyChanges({ source, target }, [rows], snapshots[0]?.oldest ?? '0')).toBe(3)
  const read = async (client: pg.ClientBase) =>
    (await client.query('select * from gateway.idempotency_keys where project_id = $1 order by key', [id]))
      .rows
  expect(await read(target)).toEqual(await read(source))
  expect(await read(target)).toHaveLength(2498)
  await source.query('rollback')
  await target.query('rollback')
})
