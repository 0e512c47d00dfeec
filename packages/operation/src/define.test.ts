import { NotFoundError, record, Text } from '@mintmark/envelope'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import {
  facilitatorOperation,
  type GatewayClient,
  gatewayOperation,
  gatewayStreamOperation,
  inputIssues,
  pagedGatewayOperation,
  type Rule,
  type Source,
} from './index.ts'

const source: Source = 'name'
const SOLD_OUT = { code: 40999, reason: 'SOLD_OUT' } as const satisfies Rule
const common = { path: '/things', source, data: Text }

const get = gatewayOperation({
  ...common,
  id: 'things.get',
  method: 'GET',
  path: '/things/{id}',
  params: { id: Text },
  errors: [NotFoundError, SOLD_OUT],
})

const find = gatewayOperation({
  ...common,
  id: 'things.find',
  method: 'POST',
  body: { id: v.optional(v.number()), code: v.optional(Text), note: v.optional(Text) },
  oneOf: ['id', 'code'],
})

it('an input of which exactly one of two fields names the thing is valid with either field, and names both fields without one and with two', () => {
  expect([{ id: 7 }, { code: 'x', id: undefined }].map((input) => inputIssues(find, input))).toEqual([[], []])
  const message = 'Expected either id or code'
  expect(inputIssues(find, { note: 'x' })).toEqual([{ path: 'id', message }])
  expect(inputIssues(find, { id: 7, code: 'x' })).toEqual([{ path: 'code', message }])
})

it('an operation is a function with its shape as properties', () => {
  expect(typeof get).toBe('function')
  expect({ ...get }).toMatchObject({
    id: 'things.get',
    service: 'gateway',
    method: 'GET',
    path: '/things/{id}',
    source: 'name',
    result: 'envelope',
    errors: [NotFoundError, SOLD_OUT],
  })
})

it.each([
  ['a GET is an idempotent read', get, 'read', true],
  [
    'a POST is a write that is not idempotent',
    gatewayOperation({ ...common, id: 'a.b', method: 'POST' }),
    'write',
    false,
  ],
  [
    'a write can be declared idempotent',
    gatewayOperation({ ...common, id: 'a.b', method: 'PATCH', idempotent: true }),
    'write',
    true,
  ],
  [
    'a GET can be declared a write',
    gatewayOperation({ ...common, id: 'a.b', method: 'GET', effect: 'write' }),
    'write',
    false,
  ],
  [
    'a POST of the facilitator is a write too',
    facilitatorOperation({ ...common, id: 'a.b', method: 'POST' }),
    'write',
    false,
  ],
])('an operation declares its effect: %s', (_, operation, effect, idempotent) => {
  expect({ ...operation }).toMatchObject({ effect, idempotent })
})

it('an operation that is paged has the fields of the page query before its own', () => {
  const list = pagedGatewayOperation({
    id: 'things.list',
    method: 'GET',
    path: '/things',
    source,
    query: { owner: Text },
    item: record({ id: Text }),
  })
  expect(Object.keys(list.query ?? {})).toEqual(['pageNumber', 'pageSize', 'orderBy', 'cursor', 'owner'])
  expect(list.paged).toBe(true)
})

it('an operation whose response is a stream reads it with its shape, its client and the options', async () => {
  const client: GatewayClient = { kind: 'gateway', call: () => Promise.reject(new Error('unused')) }
  const watch = gatewayStreamOperation(
    { ...common, id: 'things.watch', method: 'GET', query: { owner: Text } },
    async function* read(operation, given, options?: { owner: string }) {
      expect(given).toBe(client)
      yield `${operation.id} ${options?.owner}`
    },
  )
  expect({ ...watch }).toMatchObject({ effect: 'read', result: 'event-stream', query: { owner: Text } })
  const { value } = await watch(client, { owner: 'ada' }).next()
  expect(value).toBe('things.watch ada')
})

it('an operation calls its client with its shape and returns the data', async () => {
  const result = { data: 'seven', status: 200, headers: new Headers(), requestId: undefined }
  const calls: unknown[] = []
  const data = await get(
    {
      kind: 'gateway',
      async call(operation, input, options) {
        calls.push([operation.id, input, options])
        return result
      },
    },
    { id: '7' },
    { retries: 0 },
  )
  expect(data).toBe('seven')
  expect(calls).toEqual([['things.get', { id: '7' }, { retries: 0 }]])
})
