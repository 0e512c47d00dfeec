import { assets } from '@mintmark/contracts'
import { randomFrom } from '@mintmark/devkit/random'
import { openDatabase } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Db, Tables } from '../tables.ts'
import { type TestGateway, type TestKey, testGateway } from '../testing/gateway.ts'
import { clientOf } from '../testing/samples/calls.ts'
import { updateSegments } from '../testing/update-segments.ts'
import { updateListSegments } from './list-segments.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway()
})
afterAll(() => gateway.close())

const CHAIN = '84532'
const SEGMENT_ROWS = 3
const WALLETS = ['0xa', '0xb', '0xc'] as const

let project: TestKey
let other: TestKey
/** The contracts of a test. Transfers of a chain belong to no project. */
let addresses: readonly string[] = []
let tests = 0
beforeEach(async () => {
  tests += 1
  project = await gateway.newKey({ project: `transfers ${tests}` })
  other = await gateway.newKey({ project: `other transfers ${tests}` })
  addresses = ['1', '2', '3'].map((number) => `0xcontract${tests}${number}`)
})

const owner = () => gateway.owner.system
const getAddress = (index: number) => addresses[index] ?? ''

async function addContract(address: string, { projectId } = project, db: Db = owner()): Promise<void> {
  await sql`
    insert into gateway.contracts (project_id, chain_id, nft_address, name, nft_type, owner, indexed, assets_written)
    values (${projectId}, ${CHAIN}, ${address}, 'Prints', 'ERC1155', '0xa', true, true)`.execute(db)
}

async function removeContract(address: string, { projectId } = project): Promise<void> {
  await sql`update gateway.contracts set deleted = true where project_id = ${projectId} and nft_address = ${address}`.execute(
    owner(),
  )
}

let block = 0
/** Adds transfers from wallets to wallets, some of them to themselves. */
async function addChainTransfers(address: string, count: number, db: Db = owner()): Promise<void> {
  block += 1
  await sql`
    insert into gateway.chain_transfers (chain_id, block_number, block_time, tx_hash, log_index, batch_index, nft_address, nft_id,
      from_address, to_address, quantity)
    select ${CHAIN}, ${block}::bigint, now(), ${`0x${block}`}, n, 0, ${address}, (n % 2)::text,
      (${[...WALLETS]}::text[])[1 + n % 3], (${[...WALLETS]}::text[])[1 + n / 3 % 3], 1
    from generate_series(1, ${count}::int) n`.execute(db)
}

async function addTransfers(address: string, count: number, { projectId } = project): Promise<void> {
  await sql`
    insert into gateway.transfers (project_id, chain_id, nft_address, nft_id, from_address, to_address, quantity)
    select ${projectId}, ${CHAIN}, ${address}, (n % 2)::text, (${[...WALLETS]}::text[])[1 + n % 3], (${[...WALLETS]}::text[])[1 + n / 3 % 3], 1
    from generate_series(1, ${count}::int) n`.execute(owner())
}

async function requestList(field: string, value: string, { projectId } = project): Promise<void> {
  await sql`select gateway.request_list_segments('transfer_history', ${field}, ${value})`.execute(
    gateway.database.forProject(projectId),
  )
}

async function requestLists(of: TestKey): Promise<void> {
  await requestList('', '', of)
  await requestList('nft_address', getAddress(0), of)
  await requestList('nft_address', getAddress(1), of)
  await requestList('address', WALLETS[0], of)
  await sql`select gateway.request_list_segments('transfer_history', 'nft_address,nft_id', json_build_array(${getAddress(0)}::text, '1'::text)::text)`.execute(
    gateway.database.forProject(of.projectId),
  )
}

const updateShortSegments = () => updateSegments(gateway, { segmentRows: SEGMENT_ROWS })
const updateOnce = () => updateListSegments(gateway.owner.pool, { segmentRows: SEGMENT_ROWS })

/** Lists the segments that readers use and that do not have the number of transfers between their ids. */
async function findWrongSegments(): Promise<unknown[]> {
  const { rows } = await sql`
    with segment as (
      select *, lead(start, 1, ${Number.MAX_SAFE_INTEGER}::bigint) over (partition by project_id, field, value order by start) as next,
        bool_and(row_count is not null) over (partition by project_id, field, value) as is_counted
      from gateway.list_segments where relation = 'transfer_history'
    ), transfer as (
      select project_id, id, nft_address, nft_id, from_address, to_address from gateway.transfers
      union all
      select c.project_id, t.id, t.nft_address, t.nft_id, t.from_address, t.to_address
      from gateway.chain_transfers t join gateway.contracts c using (chain_id, nft_address) where c.indexed and not c.deleted
    )
    select * from (
      select s.project_id, s.field, s.value, s.start, s.row_count + (
        select coalesce(sum(c.change), 0) from gateway.list_segment_changes c
        where (c.project_id, c.relation, c.field, c.value) = (s.project_id, s.relation, s.field, s.value) and c.key >= s.start and c.key < s.next) as counted, (
        select count(*) from transfer t
        where t.project_id = s.project_id and t.id >= s.start and t.id < s.next and case s.field when '' then true
          when 'nft_address' then t.nft_address = s.value when 'address' then s.value in (t.from_address, t.to_address)
          else json_build_array(t.nft_address, t.nft_id)::text = s.value end) as actual
      from segment s
      where is_counted and not exists (
        select from gateway.list_segment_resets r where r.project_id = s.project_id and r.relation = s.relation)
    ) as each where counted <> actual`.execute(owner())
  return rows
}

/** Counts the rows of the segments of a list of all transfers. Undefined if they are not all counted. */
async function countRows({ projectId } = project): Promise<number | undefined> {
  const { rows } = await sql<{ rows: number; uncounted: number }>`
    select coalesce(sum(row_count), 0)::int as rows, (count(*) filter (where row_count is null))::int as uncounted
    from gateway.list_segments where project_id = ${projectId} and relation = 'transfer_history' and field = ''`.execute(
    owner(),
  )
  return rows[0]?.uncounted === 0 ? rows[0].rows : undefined
}

describe('the segments of the transfers of a project', () => {
  it.each([1, 2, 3, 4])(
    'have exactly the transfers that it recorded and those of its contracts after random changes, seed %i',
    async (seed) => {
      const random = randomFrom(seed)
      const registered = new Set<string>()
      for (const each of [project, other]) await requestLists(each)
      for (let step = 0; step < 40; step += 1) {
        const each = random.integer(2) === 0 ? project : other
        const address = getAddress(random.integer(3))
        const change = random.integer(8)
        if (change <= 1) {
          await addChainTransfers(address, 1 + random.integer(12))
        } else if (change === 2) {
          await addTransfers(address, 1 + random.integer(12), each)
        } else if (change === 3) {
          const block = sql`(select max(block_number) - ${random.integer(3)}::bigint from gateway.chain_transfers)`
          await sql`delete from gateway.chain_transfers where nft_address = any(${[...addresses]}::text[]) and block_number > ${block}`.execute(
            owner(),
          )
        } else if (change === 4) {
          const key = `${each.projectId} ${address}`
          await (registered.has(key) ? removeContract : addContract)(address, each)
          if (!registered.delete(key)) registered.add(key)
        } else {
          // Some runs end before everything is counted.
          const sizes = { partRows: 1 + random.integer(20), runRows: 1 + random.integer(60) }
          await updateListSegments(gateway.owner.pool, { segmentRows: SEGMENT_ROWS, ...sizes })
        }
        expect(await findWrongSegments(), `step ${step}`).toEqual([])
      }
      await updateShortSegments()
      expect(await findWrongSegments()).toEqual([])
      expect(await countRows()).toBeDefined()
    },
  )

  it('are not used from the registration of a contract until the job has counted them again', async () => {
    const address = getAddress(0)
    await addChainTransfers(address, 12_000)
    await addContract(address, other)
    await addTransfers(address, 12_000)
    const client = clientOf(gateway, project)
    await requestList('', '')
    await updateShortSegments()
    expect((await assets.transfers(client, {})).totalRow).toBe(12_000)
    await addContract(address)
    const second = clientOf({ ...gateway, app: await gateway.another() }, project)
    expect((await assets.transfers(second, {})).totalRow).toBe(24_000)
    await updateShortSegments()
    expect(await countRows()).toBe(24_000)
    await removeContract(address)
    await updateShortSegments()
    expect(await countRows()).toBe(12_000)
  })

  it('are counted after a writer of transfers has ended that did not see the registration of their contract', async () => {
    const address = getAddress(0)
    await requestList('', '')
    await updateShortSegments()
    await owner()
      .transaction()
      .execute(async (trx) => {
        await addChainTransfers(address, 5, trx)
        await addContract(address)
        await updateOnce()
        expect(await countRows()).toBeUndefined()
      })
    await updateShortSegments()
    expect(await countRows()).toBe(5)
    expect(await findWrongSegments()).toEqual([])
  })

  it('are counted after such a writer also if they were requested before it began', async () => {
    const address = getAddress(0)
    const begun = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<void>()
    const blocking = openDatabase<Tables>({ url: gateway.url, max: 1 })
    // Delays the first count.
    const other = blocking.system.transaction().execute(async (trx) => {
      await sql`select pg_current_xact_id()`.execute(trx)
      begun.resolve()
      await ended.promise
    })
    await begun.promise
    await requestList('', '')
    await updateOnce()
    await owner()
      .transaction()
      .execute(async (trx) => {
        await addChainTransfers(address, 5, trx)
        await addContract(address)
        ended.resolve()
        await other
        await blocking.close()
        await updateOnce()
        expect(await countRows()).toBeUndefined()
      })
    await updateShortSegments()
    expect(await countRows()).toBe(5)
  })

  it('stay as they are when a registration is rolled back', async () => {
    const address = getAddress(0)
    await addChainTransfers(address, 5)
    await addTransfers(address, 4)
    await requestList('', '')
    await updateShortSegments()
    const failure = owner()
      .transaction()
      .execute(async (trx) => {
        await addContract(address, project, trx)
        throw new Error('rolled back')
      })
    await expect(failure).rejects.toThrow('rolled back')
    await updateOnce()
    expect(await countRows()).toBe(4)
  })

  it('contain a transfer of a wallet to itself once', async () => {
    await requestList('address', '0xself')
    await updateShortSegments()
    await sql`
      insert into gateway.transfers (project_id, chain_id, nft_address, nft_id, from_address, to_address, quantity)
      values (${project.projectId}, ${CHAIN}, '0x1', '1', '0xself', '0xself', 1)`.execute(owner())
    await updateShortSegments()
    expect(await findWrongSegments()).toEqual([])
  })

  it('are changed only in transactions that see all registered contracts', async () => {
    const change = owner()
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute((trx) => addChainTransfers(getAddress(0), 1, trx))
    await expect(change).rejects.toThrow('isolation level read committed')
  })
})
