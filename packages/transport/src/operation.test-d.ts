import { type NotFoundError, record, type Schema, Text } from '@mintmark/envelope'
import {
  type DataOf,
  type ErrorsOf,
  gatewayOperation,
  type InputOf,
  pagedGatewayOperation,
} from '@mintmark/operation'
import { createFacilitator, createGateway, reroute, withResponse } from '@mintmark/transport'
import { respondTo } from '@mintmark/transport/testing'
import * as v from 'valibot'
import { expectTypeOf } from 'vitest'
import { aThing, create, get, list, type rename, settle, type Thing } from '../testdata/things.ts'

const gateway = createGateway({ baseUrl: '', credentials: { apiKey: '', secret: '' } })
const facilitator = createFacilitator({ baseUrl: '' })

/* A record is closed: it has its fields and no others. */
expectTypeOf<Thing>().toEqualTypeOf<{ id: number; name: string; tags: string[] }>()
expectTypeOf(get(gateway, { id: '7' })).resolves.toEqualTypeOf<Thing>()
const thing = await get(gateway, { id: '7' })
// @ts-expect-error a misspelled field
thing.nmae
// @ts-expect-error an additional field in a literal
const more: Thing = { ...aThing, color: 'blue' }
// @ts-expect-error a missing field
const less: Thing = { id: 1, name: '' }

/* An input has its required fields and no unknown ones. */
expectTypeOf<InputOf<typeof rename>>().toEqualTypeOf<{ id: string; name: string }>()
create(gateway, { name: 'x' })
create(gateway, { name: 'x', tags: undefined })
// @ts-expect-error a field is missing
create(gateway, {})
// @ts-expect-error the whole input is missing
create(gateway)
// @ts-expect-error a field that the operation does not have
create(gateway, { name: 'x', nmae: 'x' })
// @ts-expect-error a wrong type
create(gateway, { name: 7 })
// @ts-expect-error a wrong type in a list
create(gateway, { name: 'x', tags: [7] })
// @ts-expect-error an option that does not exist
create(gateway, { name: 'x' }, { retry: 3 })

/* An input without required fields can be omitted. */
const search = gatewayOperation({
  id: 'x.search',
  method: 'GET',
  path: '/x',
  source: 'name',
  query: { q: v.optional(v.string()) },
  data: Text,
})
search(gateway)
search(gateway, {})
search(gateway, { q: 'a' }, { retries: 0 })
// @ts-expect-error a field that the operation does not have
search(gateway, { p: 'a' })
const ping = gatewayOperation({ id: 'x.ping', method: 'GET', path: '/x', source: 'name', data: Text })
ping(gateway)
ping(gateway, {}, { timeout: 1 })
// @ts-expect-error an operation without fields
ping(gateway, { q: 'a' })
// @ts-expect-error not an object
ping(gateway, 5)

/* The client belongs to the operation's service. */
settle(facilitator, { version: 2 })
// @ts-expect-error the facilitator's client for the gateway's operation
get(facilitator, { id: '7' })
// @ts-expect-error the gateway's client for the facilitator's operation
settle(gateway, { version: 2 })
// @ts-expect-error the same with withResponse
withResponse(get, facilitator, { id: '7' })
expectTypeOf((await withResponse(get, gateway, { id: '7' })).data).toEqualTypeOf<Thing>()

/* A name is unique among the parts of the input. */
const shared = { id: 'x.y', method: 'POST', path: '/x/{id}', source: 'name', data: Text } as const
gatewayOperation({ ...shared, params: { id: Text }, query: { q: Text }, body: { b: Text } })
// @ts-expect-error in params and query
gatewayOperation({ ...shared, params: { id: Text }, query: { id: Text } })
// @ts-expect-error in params and body
gatewayOperation({ ...shared, params: { id: Text }, body: { id: Text } })
// @ts-expect-error in query and body
gatewayOperation({ ...shared, query: { id: Text }, body: { id: Text } })

/* Operations that the specification states cannot be rerouted. */
reroute(create, { path: '/elsewhere', method: 'PUT' })
// @ts-expect-error a stated operation
reroute(get, { path: '/elsewhere' })
// @ts-expect-error a method that does not exist
reroute(create, { method: 'SEND' })

/* Pages and items have the type of the item's record. */
expectTypeOf(list(gateway, { owner: '0x' }))
  .resolves.toHaveProperty('list')
  .toEqualTypeOf<Thing[]>()
for await (const item of list.items(gateway, { owner: '0x', pageSize: 5 }))
  expectTypeOf(item).toEqualTypeOf<Thing>()
for await (const page of list.pages(gateway, { owner: '0x' }))
  expectTypeOf(page.paras).toEqualTypeOf<{ [name: string]: unknown }>()
// @ts-expect-error the operation's own field is required in addition to the page query
list.items(gateway, { pageSize: 5 })
// @ts-expect-error a page query has no such field
list.pages(gateway, { owner: '0x', page: 5 })
// @ts-expect-error a page query has no body
pagedGatewayOperation({ ...shared, item: Text, body: { b: 5 } })

/* Servers read the types and properties of an operation. */
expectTypeOf<DataOf<typeof get>>().toEqualTypeOf<Thing>()
expectTypeOf<ErrorsOf<typeof get>>().toEqualTypeOf<typeof NotFoundError>()
expectTypeOf<ErrorsOf<typeof create>>().toEqualTypeOf<never>()
expectTypeOf(get.id).toEqualTypeOf<'things.get'>()
expectTypeOf(get.source).toEqualTypeOf<'stated'>()

/* A test client returns the data of the operation. */
respondTo(get, aThing)
respondTo(get, ({ id }) => ({ ...aThing, name: id }))
// @ts-expect-error a record that lacks a field
respondTo(get, { id: 7 })
// @ts-expect-error a field that the input does not have
respondTo(get, ({ name }) => ({ ...aThing, name }))

/* A schema must match its record. */
// @ts-expect-error a field is missing
const wrong: Schema<Thing> = record({ id: v.number(), name: v.string() })

export { less, more, wrong }
