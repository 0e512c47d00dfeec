import { lazyMinting } from '@mintmark/contracts'
import type { OperationShape } from '@mintmark/operation'
import { orders } from '@mintmark/orders'
import { withResponse } from '@mintmark/transport'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { routes } from '../src/main/routes.ts'
import { createValidatingRoutes } from '../src/main/validation.ts'
import { createListing } from '../src/testing/create-listing.ts'
import { type TestGateway, testGateway } from '../src/testing/gateway.ts'
import { type Input, sampleProject } from '../src/testing/samples/calls.ts'
import { samples } from '../src/testing/samples/index.ts'
import { newAddress, type SampleProject } from '../src/testing/samples/sample.ts'
import { tenantTables } from '../src/testing/stated-rows.ts'

/** Calls write the signature that was used; jobs write what calls have done before. */
const WRITTEN_BY_JOBS = ['used_signatures', 'row_changes', 'audit_entries', 'events']

let gateway: TestGateway
let selectRows: string
beforeAll(async () => {
  gateway = await testGateway()
  const tables = (await tenantTables(gateway)).filter((table) => !WRITTEN_BY_JOBS.includes(table))
  const texts = tables.map(
    (table) => `select '${table}' as table, coalesce(string_agg(t::text, e'\n' order by t::text), '') as rows
      from gateway.${table} t where project_id = $1`,
  )
  const changes = ['row_changes', 'audit_entries'].map(
    (table) => `(select count(*) from gateway.${table} where project_id = $1)`,
  )
  selectRows = [...texts, `select 'changes', (${changes.join(' + ')})::text`].join(' union all ')
})
afterAll(() => gateway.close())

/** Reads every row of a project, as one text of each table. */
async function rowsOf({ projectId }: SampleProject): Promise<Record<string, string>> {
  const { rows } = await gateway.owner.pool.query<{ table: string; rows: string }>({
    text: selectRows,
    values: [projectId],
  })
  return Object.fromEntries(rows.map(({ table, rows: text }) => [table, text]))
}

const call = (operation: OperationShape, { client }: SampleProject, input: Input) =>
  withResponse(operation as never, client, input as never) as Promise<{ status: number; data: unknown }>

/** The operation below the path of validation. */
const validating = <Operation extends OperationShape>(operation: Operation) => ({
  ...operation,
  path: `/validate${operation.path}`,
})

const validated = new Set(createValidatingRoutes(routes).map(({ operation }) => operation.id))
const writes = samples.filter(
  ({ operation: { id, scope = '' } }) =>
    validated.has(id) && /^(?:wallet|cards|contracts|market|orders):/.test(String(scope)),
)

it('calls of every domain are validated', () => {
  expect(writes.length).toBeGreaterThan(80)
})

it.each(writes.map((sample) => [sample.operation.id, sample] as const))(
  'the validation of %s leaves nothing behind, and the call succeeds afterwards',
  async (id, sample) => {
    const project = await sampleProject(gateway, `validation ${id}`)
    const input = (await sample.input(project)) as Input
    const before = await rowsOf(project)
    const { status, data } = await call(validating(sample.operation), project, input)
    expect([status, typeof data]).toEqual([200, 'object'])
    expect(await rowsOf(project)).toEqual(before)
    expect(await call(sample.operation, project, input)).toMatchObject({ status: 200 })
  },
)

it('a validation is refused by the rule that would refuse the call, and keeps nothing that the call would keep', async () => {
  const project = await sampleProject(gateway, 'refused')
  const { id: listingId } = await createListing(project, { quantity: 1 })
  const input = { listingId, quantity: 1, recipient: newAddress() }
  const order = await orders.preOrder(project.client, input)
  const again = call(validating(orders.preOrder), project, input)
  await expect(again).rejects.toMatchObject({ reason: 'OUT_OF_STOCK', detail: { remaining: 0 } })
  const before = await rowsOf(project)
  const payment = { orderNo: order.orderNo, recipient: newAddress(), hash: `0x${'1'.repeat(64)}` }
  await expect(call(validating(orders.payOrder), project, payment)).rejects.toMatchObject({
    reason: 'ORDER_RECIPIENT_MISMATCH',
  })
  expect(await rowsOf(project)).toEqual(before)
})

it('a validation needs the scope of the call', async () => {
  const key = await gateway.newKey({ project: crypto.randomUUID(), scopes: ['orders:read'] })
  const { method } = orders.preOrder
  const request = { method, path: '/validate/api/v1/order/preOrder', body: { listingId: 1, quantity: 1 } }
  expect(await key.call(request)).toMatchObject({ status: 403 })
})

it('permissions to mint, reads, and operations of people are not validated', async () => {
  const project = await sampleProject(gateway, 'not validated')
  for (const operation of [lazyMinting.mintSign, orders.list, orders.get]) {
    const sample = samples.find((each) => each.operation.id === operation.id)
    const input = (await sample?.input(project)) as Input
    const refused = /No operation has this path|Method not allowed/
    await expect(call(validating(operation), project, input)).rejects.toThrow(refused)
  }
})
