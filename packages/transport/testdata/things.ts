import { Id, Integer, NotFoundError, record, type Schema, Text } from '@mintmark/envelope'
import {
  facilitatorOperation,
  gatewayOperation,
  gatewayStreamOperation,
  pagedGatewayOperation,
} from '@mintmark/operation'
import * as v from 'valibot'

const thing = record({ id: Id, name: v.string(), tags: v.array(v.string()) })
/** The record of a domain for tests. */
export interface Thing extends v.InferOutput<typeof thing> {}
export const Thing: Schema<Thing> = thing

export const aThing: Thing = { id: 7, name: 'seven', tags: ['odd'] }

/** A read. */
export const get = gatewayOperation({
  id: 'things.get',
  method: 'GET',
  path: '/api/v1/things/{id}',
  source: 'stated',
  params: { id: Text },
  query: { tag: v.optional(v.union([v.string(), v.array(v.string())])), depth: v.optional(Integer) },
  data: Thing,
  errors: [NotFoundError],
})

/** A read of what everybody may see. */
export const publicThing = gatewayOperation({
  id: 'things.public',
  method: 'GET',
  path: '/api/v1/things/public/{id}',
  source: 'own',
  publishable: true,
  params: { id: Text },
  data: Thing,
  errors: [NotFoundError],
})

/** A write that is not safe to repeat. */
export const create = gatewayOperation({
  id: 'things.create',
  method: 'POST',
  path: '/api/v1/things',
  source: 'name',
  body: { name: Text, tags: v.optional(v.array(Text)), size: v.optional(v.object({ width: v.number() })) },
  data: Thing,
})

/** A write that is safe to repeat. */
export const rename = gatewayOperation({
  id: 'things.rename',
  method: 'PATCH',
  path: '/api/v1/things/{id}',
  source: 'name',
  idempotent: true,
  params: { id: Text },
  body: { name: Text },
  data: Thing,
})

/** A GET that writes. */
export const importAll = gatewayOperation({
  id: 'things.importAll',
  method: 'GET',
  path: '/api/v1/things/import',
  source: 'name',
  effect: 'write',
  data: v.array(Thing),
})

export const list = pagedGatewayOperation({
  id: 'things.list',
  method: 'GET',
  path: '/api/v1/things/list',
  source: 'name',
  query: { owner: Text },
  item: Thing,
})

/** An operation whose response is a stream. Its function iterates over the pieces that arrive, as texts. */
export const watch = gatewayStreamOperation(
  {
    id: 'things.watch',
    method: 'GET',
    path: '/api/v1/things/watch',
    source: 'own',
    query: { owner: Text },
    data: v.string(),
  },
  async function* read(operation, client, options?: { owner: string; signal?: AbortSignal }) {
    const { owner, signal } = options ?? {}
    const { data } = await client.call(operation, { owner }, { signal })
    yield* (data as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(new TextDecoderStream())
  },
)

const receipt = record({ success: v.boolean(), transaction: v.string() })

/** An operation whose data is in a header. */
export const settle = facilitatorOperation({
  id: 'receipts.settle',
  method: 'POST',
  path: '/settle',
  source: 'stated',
  body: { version: Integer },
  openBody: true,
  result: 'header',
  data: v.optional(receipt),
})

/** An operation whose data is the body. */
export const check = facilitatorOperation({
  id: 'receipts.check',
  method: 'POST',
  path: '/check',
  source: 'method',
  effect: 'read',
  body: { version: Integer },
  data: receipt,
})

/** A write whose Idempotency-Key the server ignores. */
export const resend = facilitatorOperation({
  id: 'receipts.resend',
  method: 'POST',
  path: '/receipts/resend',
  source: 'added',
  ignoresIdempotencyKey: true,
  data: receipt,
})

/** An operation without data. */
export const forget = facilitatorOperation({
  id: 'receipts.forget',
  method: 'DELETE',
  path: '/receipts',
  source: 'method',
  result: 'none',
  data: v.undefined(),
})
