import { type Bytes, encodeRfc3986 } from '@mintmark/core-auth'
import { InvalidInput } from '@mintmark/envelope'
import type { OperationShape } from './operation.ts'

/** A call's address and bytes, before it is signed. */
export interface WireRequest {
  method: string
  /** The whole address; path and query are what is signed. */
  url: string
  path: string
  /** Without its question mark. */
  query: string
  body: Bytes
}

const nothing: Bytes = /* @__PURE__ */ new Uint8Array(0)

// URL parsers take `.` and `..` (also as %2e) for steps through the path, and an empty segment changes the route.
function segment(operation: OperationShape, name: string, value: string): string {
  if (value !== '' && value !== '.' && value !== '..') return encodeRfc3986(value)
  throw new InvalidInput(`${operation.id}: ${name}: Cannot stand in a path`, {
    operation: operation.id,
    issues: [{ path: name, message: 'Cannot stand in a path' }],
  })
}

/** Lays an input that was checked out over path, query and body. */
export function wireRequest(
  operation: OperationShape,
  route: string,
  baseUrl: URL,
  input: unknown,
): WireRequest {
  const given = (input ?? {}) as Record<string, unknown>
  const path =
    baseUrl.pathname.replace(/\/$/, '') +
    route.replace(/\{(\w+)\}/g, (_, name: string) => segment(operation, name, String(given[name])))
  const pairs: string[] = []
  for (const name of Object.keys(operation.query ?? {})) {
    const value = given[name]
    if (value === undefined) continue
    for (const one of Array.isArray(value) ? value : [value])
      pairs.push(`${name}=${encodeRfc3986(String(one))}`)
  }
  const query = pairs.join('&')
  let body = nothing
  if (operation.body) {
    const elsewhere = { ...operation.params, ...operation.query }
    const fields = Object.entries(given).filter(([name]) => !(name in elsewhere))
    body = new TextEncoder().encode(JSON.stringify(Object.fromEntries(fields)))
  }
  return {
    method: operation.method,
    url: `${baseUrl.origin}${path}${query && `?${query}`}`,
    path,
    query,
    body,
  }
}
