import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Db } from '../src/database/tables.ts'
import { type TestGateway, type TestKey, testGateway } from '../src/testing/gateway.ts'
import {
  CREATOR,
  callOf,
  HASH,
  NFT_ADDRESS,
  ORDER_NO,
  statedOperations,
  WALLET,
} from '../src/testing/stated-operations.ts'
import { insertStatedRows, rowCounts, tenantTables } from '../src/testing/stated-rows.ts'

let gateway: TestGateway
let mine: TestKey
let theirs: TestKey
let myCard: number
beforeAll(async () => {
  gateway = await testGateway()
  mine = await gateway.newKey({ project: 'mine' })
  theirs = await gateway.newKey({ project: 'theirs' })
  myCard = (await insertStatedRows(gateway, mine.projectId)).promoCodeCard
})
afterAll(() => gateway.close())

it.each([
  ['wallet info', { path: '/api/v1/wallet/walletInfo', query: `address=${WALLET}` }],
  ['a contract', { path: '/api/v1/contract/info', query: `nftAddress=${NFT_ADDRESS}` }],
  [
    'an order',
    { path: '/api/v1/order/payOrder', body: { hash: HASH, orderNo: ORDER_NO, recipient: WALLET } },
  ],
])('another project does not find %s', async (_, request) => {
  expect((await theirs.call(request)).status).toBe(404)
  expect((await mine.call(request)).status).toBe(200)
})

it('another project finds neither a promo code card by its id nor a card in a list', async () => {
  const get = { path: `/api/v1/card/promoCodeCards/${myCard}` }
  expect((await mine.call(get)).status).toBe(200)
  expect((await theirs.call(get)).status).toBe(404)
  const list = {
    path: '/api/v1/card/commemorativeCards/getPageListByCreator',
    query: `creator=${CREATOR}`,
  }
  expect((await mine.call(list)).json.data.totalRow).toBe(1)
  expect((await theirs.call(list)).json.data.totalRow).toBe(0)
})

it('another project makes its cards without a look at our contract', async () => {
  const create = statedOperations.find(({ number }) => number === 2)
  if (!create) throw new Error('operation 2 is not listed')
  const ours = await mine.call(callOf(create, create.valid))
  const other = await theirs.call(callOf(create, create.valid))
  expect(ours.json.data).toMatchObject({ chainId: '84532', nftType: 'ERC721', projectId: mine.projectId })
  expect(other.json.data).toMatchObject({ chainId: '', nftType: '', projectId: theirs.projectId })
})

it('another project may report the same hash for an order of its own', async () => {
  await insertStatedRows(gateway, theirs.projectId)
  const body = { hash: HASH, orderNo: ORDER_NO, recipient: WALLET }
  for (const key of [mine, theirs]) {
    const { status, json } = await key.call({ path: '/api/v1/order/payOrder', body })
    expect(status).toBe(200)
    expect(json.data.projectId).toBe(key.projectId)
  }
})

it('another project finds no QR picture of a card under its own number', async () => {
  const card = await gateway.owner.system
    .selectFrom('gateway.cards')
    .select('qr_code')
    .where('project_id', '=', mine.projectId)
    .where('name', '=', 'Opening night')
    .executeTakeFirstOrThrow()
  const picture = (project: number) => gateway.app.request(`/qr/${project}/${card.qr_code}.svg`)
  expect((await picture(mine.projectId)).status).toBe(200)
  expect((await picture(theirs.projectId)).status).toBe(404)
})

describe('row-level security', () => {
  const tables = () => tenantTables(gateway)

  it('row-level security is on for every table with a project, except those of authentication', async () => {
    const { rows } = await sql<{ name: string; secured: boolean; readable: boolean }>`
      select c.relname as name, c.relrowsecurity as secured,
        has_table_privilege('mintmark_gateway', c.oid, 'select, insert, update, delete') as readable
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'gateway'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and a.attname = 'project_id'
    `.execute(gateway.owner.system)
    const listUnsecured = (isReadable: boolean) =>
      rows
        .filter(({ secured, readable }) => !secured && readable === isReadable)
        .map(({ name }) => name)
        .toSorted()
    // Authentication reads and writes them before it knows the project.
    expect(listUnsecured(true)).toEqual([
      'api_key_secrets',
      'api_keys',
      'publishable_keys',
      'used_signatures',
    ])
    // Calls of projects have no access to them, whichever project they name.
    expect(listUnsecured(false)).toEqual(['invitations', 'members'])
  })

  it('row-level security shows a connection that is bound to a project that project’s rows alone, whatever the query', async () => {
    await mine.call({
      ...callOfCreate(),
      headers: { 'idempotency-key': 'mine' },
    })
    await theirs.call({ path: '/api/v1/market/productCard/add/nftInfo', body: nft })
    await mine.call({ path: '/api/v1/market/productCard/add/nftInfo', body: nft })
    for (const key of [mine, theirs]) {
      let seenAny = false
      for (const table of await tables()) {
        const projects = async (db: Db) =>
          (
            await sql<{
              id: number
            }>`select distinct project_id as id from ${sql.table(`gateway.${table}`)}`.execute(db)
          ).rows.map(({ id }) => id)
        const seen = await projects(gateway.database.forProject(key.projectId))
        const all = await projects(gateway.owner.system)
        expect(seen, table).toEqual(all.filter((id) => id === key.projectId))
        seenAny ||= seen.length > 0
      }
      expect(seenAny).toBe(true)
    }
  })

  it('row-level security does not allow it to write, move or remove rows of another project', async () => {
    const db = gateway.database.forProject(theirs.projectId)
    const before = await rowCounts(gateway)
    const mineNumber = mine.projectId
    const own = theirs.projectId
    await expect(
      sql`insert into gateway.wallet_info (project_id, address) values (${mineNumber}, '0x1')`.execute(db),
    ).rejects.toThrow(/row-level security/)
    await expect(
      sql`update gateway.wallet_info set project_id = ${mineNumber}, address = '0x2' where project_id = ${own}`.execute(
        db,
      ),
    ).rejects.toThrow(/row-level security/)
    for (const table of await tables()) {
      const name = sql.table(`gateway.${table}`)
      const removed = await sql`delete from ${name} where project_id = ${mineNumber}`.execute(db).then(
        ({ numAffectedRows }) => numAffectedRows,
        (error: Error) => error.message,
      )
      // A history is append-only: no rows can be removed from it.
      expect([0n, `permission denied for table ${table}`], table).toContain(removed)
    }
    const changed =
      await sql`update gateway.orders set name = 'theirs' where project_id = ${mineNumber}`.execute(db)
    expect(changed.numAffectedRows).toBe(0n)
    expect(await rowCounts(gateway)).toEqual(before)
  })

  it('row-level security shows a connection that is bound to none nothing, or refuses', async () => {
    for (const table of await tables()) {
      const query = sql`select * from ${sql.table(`gateway.${table}`)}`.execute(gateway.database.system)
      const outcome = await query.then(
        ({ rows }) => rows.length,
        (error: Error) => error.message,
      )
      expect([0, 'invalid input syntax for type bigint: ""'], table).toContain(outcome)
    }
  })

  it('row-level security keeps a reference from pointing into another project', async () => {
    const order = await gateway.owner.system
      .selectFrom('gateway.orders')
      .select('id')
      .where('project_id', '=', mine.projectId)
      .executeTakeFirstOrThrow()
    await expect(
      sql`insert into gateway.order_payments (project_id, hash, order_id) values (${theirs.projectId}, '0x9', ${order.id})`.execute(
        gateway.database.forProject(theirs.projectId),
      ),
    ).rejects.toThrow(/foreign key/)
  })
})

const nft = { name: 'Print', nftAddress: NFT_ADDRESS, owner: CREATOR }
function callOfCreate() {
  const create = statedOperations.find(({ number }) => number === 2)
  if (!create) throw new Error('operation 2 is not listed')
  return callOf(create, create.valid)
}
