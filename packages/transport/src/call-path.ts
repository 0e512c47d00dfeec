import type { Schema } from '@mintmark/envelope'
import type { CallOptions, CallResult, Client, Method, OperationShape, Service } from '@mintmark/operation'
import * as v from 'valibot'

/** A call of a path that no operation declares. */
export interface PathRequest<Data = unknown> {
  /** The HTTP method. */
  method: Method
  /** The path after the server's address, without a query: `/api/v1/loyalty/points`. Encode what is in it. */
  path: string
  /** The fields of the query. A list is sent as several fields. */
  query?: Readonly<
    Record<string, string | number | boolean | readonly (string | number | boolean)[] | undefined>
  >
  /** The fields of the body, which is sent as JSON. None of them has the name of a field of the query. */
  body?: Readonly<Record<string, unknown>>
  /** The schema that the data is checked against. Default: any data. */
  data?: Schema<Data>
  /** Whether the call can be repeated. Default: for GET, PUT and DELETE, and a POST with an idempotency key. */
  idempotent?: boolean
}

/**
 * Calls a path that no operation declares, such as that of another vendor's gateway. The call is signed, retried
 * and limited in time like an operation, and ends in the same errors. Their `operation` is `GET /path`.
 *
 * @example
 * const { data } = await callPath(gateway, { method: 'GET', path: '/api/v1/loyalty/points', query: { wallet } })
 */
export async function callPath<S extends Service, Data = unknown>(
  client: Client<S>,
  request: PathRequest<Data>,
  options?: CallOptions,
): Promise<CallResult<Data>> {
  const { method, query = {}, body } = request
  const operation: OperationShape = {
    id: `${method} ${request.path}`,
    service: client.kind,
    method,
    path: toPath(request.path),
    source: 'own',
    effect: method === 'GET' ? 'read' : 'write',
    idempotent: request.idempotent ?? ['GET', 'PUT', 'DELETE'].includes(method),
    query: Object.fromEntries(Object.keys(query).map((name) => [name, v.any()])),
    ...((body !== undefined || method !== 'GET') && { body: {}, openBody: true }),
    data: request.data ?? v.unknown(),
    errors: [],
    result: client.kind === 'gateway' ? 'envelope' : 'json',
  }
  const clash = Object.keys(query).find((name) => body !== undefined && name in body)
  if (clash !== undefined) throw new TypeError(`The field ${clash} is in both the query and the body`)
  if (method === 'GET' && body !== undefined)
    throw new TypeError('A GET has no body. Pass the fields as query')
  // The client has checked the data, unless its option `responses` prevents it.
  return (await client.call(operation, { ...body, ...query }, options)) as CallResult<Data>
}

/** Returns a path as parsers of URLs write it, so that the path that is signed is the one that is sent. */
function toPath(path: string): string {
  if (!/^\/(?!\/)[^?#\\]*$/.test(path))
    throw new TypeError(
      'path does not begin with one slash, or has a query. Pass the fields of a query as query',
    )
  return new URL(path, 'http://localhost').pathname
}
