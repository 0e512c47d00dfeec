import { type Bytes, encodeRfc3986, utf8 } from '@mintmark/core-auth'
import { invalid } from './failure.ts'
import type { OperationShape } from './operation.ts'

/** A call's address and bytes, before it is signed. */
export interface WireRequest {
  method: string
  /** The whole address; path and query are what is signed. */
  url: string
  path: string
  /** Without its question mark. */
  query: string
  /** The pairs of `query` in the order in which they are signed. */
  canonicalQuery: string
  body: Bytes
}

/** Lays an input that was checked out over path, query and body. */
export function wireRequest(operation: OperationShape, base: string, input: unknown): WireRequest {
  const left = { ...(input as Record<string, unknown> | undefined) }

  function encoded(name: string, value: unknown, segment?: boolean): string {
    try {
      // URL parsers take `.` and `..` for steps through the path, and an empty segment changes the route.
      if (!segment || !/^\.{0,2}$/.test(String(value))) return encodeRfc3986(String(value))
    } catch {
      // Half of a surrogate pair has no UTF-8.
    }
    throw invalid(operation, [{ path: name, message: 'Malformed' }])
  }

  const url = new URL(
    base + operation.path.replace(/\{(\w+)\}/g, (_, name) => encoded(name, left[name], true)),
  )
  const pairs: string[] = []
  for (const name in operation.query) {
    for (const value of [left[name]].flat()) {
      // A line feed is below all encoded text: pairs sort by name, then by value.
      if (value !== undefined) pairs.push(`${name}\n${encoded(name, value)}`)
    }
  }
  const joined = (): string => pairs.join('&').replaceAll('\n', '=')
  const query = joined()
  if (query) url.search = query
  pairs.sort()
  for (const name in { ...operation.params, ...operation.query }) delete left[name]
  return {
    method: operation.method,
    url: url.href,
    // What is signed is what the URL parser makes of the address, for that is what is sent.
    path: url.pathname,
    query,
    canonicalQuery: joined(),
    body: utf8(operation.body ? JSON.stringify(left) : ''),
  }
}
