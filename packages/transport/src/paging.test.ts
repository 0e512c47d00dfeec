import type { Page } from '@mintmark/envelope'
import { expect, it } from 'vitest'
import { type Behavior, envelope, misbehave } from '../testdata/misbehaving-server.ts'
import { list, type Thing } from '../testdata/things.ts'
import { createGateway } from './gateway.ts'

const credentials = { apiKey: 'key', secret: 'sk_test_4f3c2b1a' }
const gatewayAt = (baseUrl: string) => createGateway({ baseUrl, credentials, retries: 0 })
const thing = (id: number): Thing => ({ id, name: `thing ${id}`, tags: [] })

function page(pageNumber: number, ids: number[], more: Partial<Page<Thing>> = {}): Behavior {
  return envelope({
    firstPage: pageNumber === 1,
    lastPage: pageNumber >= 3,
    list: ids.map(thing),
    orderBy: '',
    pageNumber,
    pageSize: 2,
    paras: {},
    totalPage: 3,
    totalRow: 5,
    ...more,
  })
}

async function collectIds(items: AsyncIterable<Thing>): Promise<number[]> {
  const ids: number[] = []
  for await (const { id } of items) ids.push(id)
  return ids
}
const queries = (received: { query: string }[]) => received.map(({ query }) => query)

it('the items of a page query are those of all pages up to the total', async () => {
  const server = await misbehave(page(1, [1, 2]), page(2, [3, 4]), page(3, [5]), page(4, [6]))
  expect(await collectIds(list.items(gatewayAt(server.url), { owner: '0xaa', pageSize: 2 }))).toEqual([
    1, 2, 3, 4, 5,
  ])
  expect(queries(server.received)).toEqual([
    'pageSize=2&owner=0xaa',
    'pageNumber=2&pageSize=2&owner=0xaa',
    'pageNumber=3&pageSize=2&owner=0xaa',
  ])
})

it('the items of a page query end at the total number of pages if no page is marked as the last', async () => {
  const never = { lastPage: false }
  const server = await misbehave(
    page(1, [1, 2], never),
    page(2, [3, 4], never),
    page(3, [5], never),
    page(4, [6], never),
  )
  expect(await collectIds(list.items(gatewayAt(server.url), { owner: '0xaa' }))).toEqual([1, 2, 3, 4, 5])
})

it('the items of a page query end at an empty page before the total number of pages', async () => {
  const server = await misbehave(page(1, [1, 2], { totalPage: 9 }), page(2, [], { totalPage: 9 }))
  expect(await collectIds(list.items(gatewayAt(server.url), { owner: '0xaa' }))).toEqual([1, 2])
  expect(server.received.length).toBe(2)
})

it('the items of a page query are read by the cursor of each page', async () => {
  const server = await misbehave(
    page(1, [1, 2], { paras: { next: 'c 1' } }),
    page(2, [3, 4], { paras: { next: 'c2' } }),
    page(3, [5]),
  )
  expect(await collectIds(list.items(gatewayAt(server.url), { owner: '0xaa' }))).toEqual([1, 2, 3, 4, 5])
  expect(queries(server.received)).toEqual([
    'owner=0xaa',
    'pageNumber=2&cursor=c%201&owner=0xaa',
    'pageNumber=3&cursor=c2&owner=0xaa',
  ])
})

it('the items of a page query are read without a cursor after a page that has none', async () => {
  const server = await misbehave(page(1, [1, 2], { paras: { next: 'c1' } }), page(2, [3, 4]), page(3, [5]))
  await collectIds(list.items(gatewayAt(server.url), { owner: '0xaa' }))
  expect(queries(server.received).at(-1)).toBe('pageNumber=3&owner=0xaa')
})

it('the items of a page query begin at the requested page', async () => {
  const server = await misbehave(page(2, [3, 4]), page(3, [5]))
  expect(await collectIds(list.items(gatewayAt(server.url), { owner: '0xaa', pageNumber: 2 }))).toEqual([
    3, 4, 5,
  ])
})

it('the items of a page query are not fetched before they are read', async () => {
  const server = await misbehave(page(1, [1, 2]), page(2, [3, 4]))
  for await (const { id } of list.items(gatewayAt(server.url), { owner: '0xaa' })) if (id === 2) break
  expect(server.received.length).toBe(1)
})

it('the items of a page query end with the reason of an abort', async () => {
  const controller = new AbortController()
  const server = await misbehave(page(1, [1, 2]), page(2, [3, 4]))
  const items = list.items(gatewayAt(server.url), { owner: '0xaa' }, { signal: controller.signal })
  await expect(async () => {
    for await (const { id } of items) if (id === 2) controller.abort(new Error('enough'))
  }).rejects.toThrow('enough')
})

it('an incorrect page causes an error after the previous items if it repeats the previous page', async () => {
  const server = await misbehave(page(1, [1, 2]), page(2, [1, 2]))
  const seen: number[] = []
  await expect(async () => {
    for await (const { id } of list.items(gatewayAt(server.url), { owner: '0xaa' })) seen.push(id)
  }).rejects.toMatchObject({
    kind: 'UnexpectedResponse',
    field: 'list',
    message: 'things.list: Expected page 2, received the same list',
  })
  expect(seen).toEqual([1, 2])
})

it('an incorrect page causes an error if it is not the requested page', async () => {
  const server = await misbehave(page(1, [1, 2]), page(1, [3, 4]))
  await expect(collectIds(list.items(gatewayAt(server.url), { owner: '0xaa' }))).rejects.toMatchObject({
    kind: 'UnexpectedResponse',
    field: 'pageNumber',
    message: 'things.list: Expected page 2, received page 1',
  })
})

it('an incorrect page causes an error if the data is not a page', async () => {
  const server = await misbehave(envelope([thing(1)]))
  await expect(collectIds(list.items(gatewayAt(server.url), { owner: '0xaa' }))).rejects.toMatchObject({
    kind: 'UnexpectedResponse',
    field: 'data.firstPage',
  })
})

it('rejects a page size or number outside the limits before a request is sent', async () => {
  const server = await misbehave(page(1, []))
  const gateway = gatewayAt(server.url)
  await expect(list(gateway, { owner: '0xaa', pageSize: 101 })).rejects.toMatchObject({
    issues: [{ path: 'pageSize', message: 'Expected an integer from 1 to 100' }],
  })
  await expect(collectIds(list.items(gateway, { owner: '0xaa', pageNumber: 0 }))).rejects.toMatchObject({
    issues: [{ path: 'pageNumber', message: 'Expected an integer from 1' }],
  })
  expect(server.received.length).toBe(0)
})
