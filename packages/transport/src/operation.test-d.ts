import { type NotFoundError, record, type Schema, Text } from '@mintmark/envelope'
import {
  type DataOf,
  type ErrorsOf,
  gatewayOperation,
  type InputOf,
  pagedGatewayOperation,
} from '@mintmark/operation'
import { createFacilitator, createGateway, reroute, withResponse } from '@mintmark/transport'
import { answer } from '@mintmark/transport/testing'
import * as v from 'valibot'
import { expectTypeOf } from 'vitest'
import { aThing, create, get, list, type rename, settle, type Thing } from '../testdata/things.ts'

const gateway = createGateway({ baseUrl: '', credentials: { apiKey: '', secret: '' } })
const facilitator = createFacilitator({ baseUrl: '' })

/* A record is closed: its fields are there, and no other. */
expectTypeOf<Thing>().toEqualTypeOf<{ id: number; name: string; tags: string[] }>()
expectTypeOf(get(gateway, { id: '7' })).resolves.toEqualTypeOf<Thing>()
const thing = await get(gateway, { id: '7' })
// @ts-expect-error a misspelt field
thing.nmae
// @ts-expect-error a field more, in a record that is written down
const more: Thing = { ...aThing, colour: 'blue' }
// @ts-expect-error a field less
const less: Thing = { id: 1, name: '' }

/* An input has what it must have, and nothing else. */
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

/* An input without required fields may be left out. */
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
// @ts-expect-error a field, where there are none
ping(gateway, { q: 'a' })
// @ts-expect-error no object at all
ping(gateway, 5)

/* The client is that of the operation's interface. */
settle(facilitator, { version: 2 })
// @ts-expect-error the facilitator's client for the gateway's operation
get(facilitator, { id: '7' })
// @ts-expect-error the gateway's client for the facilitator's operation
settle(gateway, { version: 2 })
// @ts-expect-error the same with withResponse
withResponse(get, facilitator, { id: '7' })
expectTypeOf((await withResponse(get, gateway, { id: '7' })).data).toEqualTypeOf<Thing>()

/* A name stands in one part of the input. */
const shared = { id: 'x.y', method: 'POST', path: '/x/{id}', source: 'name', data: Text } as const
gatewayOperation({ ...shared, params: { id: Text }, query: { q: Text }, body: { b: Text } })
// @ts-expect-error in params and query
gatewayOperation({ ...shared, params: { id: Text }, query: { id: Text } })
// @ts-expect-error in params and body
gatewayOperation({ ...shared, params: { id: Text }, body: { id: Text } })
// @ts-expect-error in query and body
gatewayOperation({ ...shared, query: { id: Text }, body: { id: Text } })

/* What the specification states stays where it is. */
reroute(create, { path: '/elsewhere', method: 'PUT' })
// @ts-expect-error a stated operation
reroute(get, { path: '/elsewhere' })
// @ts-expect-error a method that does not exist
reroute(create, { method: 'SEND' })

/* Pages and items carry the item's record. */
expectTypeOf(list(gateway, { owner: '0x' }))
  .resolves.toHaveProperty('list')
  .toEqualTypeOf<Thing[]>()
for await (const item of list.items(gateway, { owner: '0x', pageSize: 5 }))
  expectTypeOf(item).toEqualTypeOf<Thing>()
for await (const page of list.pages(gateway, { owner: '0x' }))
  expectTypeOf(page.paras).toEqualTypeOf<{ [name: string]: unknown }>()
// @ts-expect-error the operation's own field is required beside the page query
list.items(gateway, { pageSize: 5 })
// @ts-expect-error a page query has no such field
list.pages(gateway, { owner: '0x', page: 5 })
// @ts-expect-error a page query has no body
pagedGatewayOperation({ ...shared, item: Text, body: { b: 5 } })

/* What servers ask of an operation. */
expectTypeOf<DataOf<typeof get>>().toEqualTypeOf<Thing>()
expectTypeOf<ErrorsOf<typeof get>>().toEqualTypeOf<typeof NotFoundError>()
expectTypeOf<ErrorsOf<typeof create>>().toEqualTypeOf<never>()
expectTypeOf(get.id).toEqualTypeOf<'things.get'>()
expectTypeOf(get.source).toEqualTypeOf<'stated'>()

/* A test's client answers what the operation answers. */
answer(get, aThing)
answer(get, ({ id }) => ({ ...aThing, name: id }))
// @ts-expect-error a record that lacks a field
answer(get, { id: 7 })
// @ts-expect-error a field that the input does not have
answer(get, ({ name }) => ({ ...aThing, name }))

/* A schema's record cannot be another's. */
// @ts-expect-error a field is missing
const wrong: Schema<Thing> = record({ id: v.number(), name: v.string() })

export { less, more, wrong }
