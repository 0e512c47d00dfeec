import type { OperationShape } from '@mintmark/operation'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { routes } from '../src/main/routes.ts'
import { type TestGateway, testGateway } from '../src/testing/gateway.ts'
import { type Input, rawCallOf, sampleProject } from '../src/testing/samples/calls.ts'
import { samples } from '../src/testing/samples/index.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway()
})
afterAll(() => gateway.close())

interface Item {
  readonly createTime?: string
  readonly createTimeLong?: number
}

const listsWithTimes = routes
  .map(({ operation }) => operation)
  .filter(({ paged, query = {} }) => paged === true && 'from' in query)
  // Operators only. It reads what `audit.list` reads, of project 0.
  .filter(({ id }) => id !== 'serverAudit.list')

const toTime = ({ createTime, createTimeLong }: Item) => createTimeLong ?? Date.parse(createTime ?? '')

it.each(listsWithTimes.map((operation) => [operation.id, operation] as const))(
  '%s contains an item that was created at `from`, and none that was created at `to`',
  async (id, operation: OperationShape) => {
    const each = samples.find(({ operation: { id: other } }) => other === id)
    if (each === undefined) throw new Error(`${id} has no sample`)
    const project = await sampleProject(gateway, id)
    const { from: _from, to: _to, ...input } = (await each.input(project)) as Input
    const list = async (more: Input) => {
      const { status, json } = await project.key.call(rawCallOf(operation, { ...input, ...more }))
      expect(status, JSON.stringify(json)).toBe(200)
      const { list: items, totalRow } = json.data as unknown as { list: Item[]; totalRow: number }
      expect(totalRow).toBe(items.length)
      return items
    }
    const [item] = await list({})
    if (item === undefined) throw new Error(`The sample of ${id} lists nothing`)
    const time = toTime(item)
    const at = (milliseconds: number) => new Date(time + milliseconds).toISOString()
    for (const orderBy of ['', 'id']) {
      expect(await list({ from: at(0), orderBy })).toContainEqual(item)
      expect(await list({ from: at(0), to: at(1), orderBy })).toContainEqual(item)
      expect(await list({ to: at(0), orderBy })).not.toContainEqual(item)
      expect(await list({ from: at(1), orderBy })).not.toContainEqual(item)
      expect(await list({ from: at(1), to: at(0), orderBy })).toEqual([])
    }
  },
)

it.each([
  ['addressBook.list', 'name'],
  ['addressBook.list', 'address desc'],
  ['contracts.list', 'name'],
  ['follows.list', 'id'],
  ['nfts.list', 'name desc'],
  ['commonSales.list', 'payPrice'],
  ['commonSales.list', 'endTime desc'],
  ['offers.mine', 'totalPrice'],
  ['promoCodeCards.search', 'name'],
])('%s in the order %s finds the items of a range of times', async (id, orderBy) => {
  const each = samples.find(({ operation }) => operation.id === id)
  if (each === undefined) throw new Error(`${id} has no sample`)
  const project = await sampleProject(gateway, `${id} by ${orderBy}`)
  const input = (await each.input(project)) as Input
  const count = async (range: Input) => {
    const { json } = await project.key.call(rawCallOf(each.operation, { ...input, ...range, orderBy }))
    return json.data.totalRow
  }
  const [early, late] = ['2020-01-01T00:00:00Z', '2098-01-01T00:00:00Z']
  expect(await count({ from: early, to: late })).toBe(1)
  expect(await count({ from: late, to: undefined })).toBe(0)
  expect(await count({ from: undefined, to: early })).toBe(0)
})
