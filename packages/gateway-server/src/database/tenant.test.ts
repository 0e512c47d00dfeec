import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestGateway, testGateway } from '../testing/gateway.ts'
import { Tenant } from './tenant.ts'

let gateway: TestGateway
let one: Tenant
let two: Tenant
beforeAll(async () => {
  gateway = await testGateway()
  // Row-level security does not apply to the owner, so that only the tenants' conditions keep the projects
  // apart.
  const openAsOwner = async (name: string) =>
    new Tenant(gateway.owner.system, (await gateway.newKey({ project: name })).projectId)
  one = await openAsOwner('tenant-one')
  two = await openAsOwner('tenant-two')
})
afterAll(() => gateway.close())

const listNames = async (tenant: Tenant) =>
  (await tenant.selectFrom('gateway.wallet_info').select('name').orderBy('name').execute()).map(
    ({ name }) => name,
  )

it('inserts, selects, changes and deletes rows of its own project only', async () => {
  const rows = [
    { address: '0x01', name: 'Ada' },
    { address: '0x02', name: 'Bea' },
  ]
  await one.insertInto('gateway.wallet_info').values(rows).execute()
  await two.insertInto('gateway.wallet_info').values({ address: '0x01', name: 'Cleo' }).execute()
  expect(await listNames(one)).toEqual(['Ada', 'Bea'])
  await two.updateTable('gateway.wallet_info').set({ name: 'Dora' }).execute()
  expect([await listNames(one), await listNames(two)]).toEqual([['Ada', 'Bea'], ['Dora']])
  await one.deleteFrom('gateway.wallet_info').where('address', '=', '0x01').execute()
  expect([await listNames(one), await listNames(two)]).toEqual([['Bea'], ['Dora']])
})

it('inserts rows into its own project even if they name another one', async () => {
  const row = { address: '0x03', name: 'Eve', project_id: two.project }
  await one.insertInto('gateway.wallet_info').values(row).execute()
  expect(await listNames(two)).not.toContain('Eve')
})

it('rolls back the statements of its transaction, raw SQL included', async () => {
  const failing = one.transaction(async (trx) => {
    await trx.insertInto('gateway.wallet_info').values({ address: '0x04', name: 'Fay' }).execute()
    await sql`update gateway.wallet_info set name = 'Gus' where project_id = ${trx.project}`.execute(trx)
    throw new Error('The work failed')
  })
  await expect(failing).rejects.toThrow('The work failed')
  const names = await listNames(one)
  expect(names).not.toContain('Fay')
  expect(names).not.toContain('Gus')
})

it('accepts only tables with a project', () => {
  // @ts-expect-error Projects do not belong to a project.
  const query = one.selectFrom('gateway.projects').selectAll()
  expect(query.compile().sql).toContain('project_id')
})
