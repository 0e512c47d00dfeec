import { type Bytes, encodeRfc3986 } from '@mintmark/core-auth'
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
  body: Bytes
}

const nothing: Bytes = /* @__PURE__ */ new Uint8Array(0)
const encoder = /* @__PURE__ */ new TextEncoder()

/** Lays an input that was checked out over path, query and body. */
export function wireRequest(operation: OperationShape, baseUrl: URL, input: unknown): WireRequest {
  const given = (input ?? {}) as Record<string, unknown>

  function encoded(name: string, value: unknown, inPath?: boolean): string {
    try {
      // URL parsers take `.` and `..` for steps through the path, and an empty segment changes the route.
      if (!inPath || !/^\.{0,2}$/.test(String(value))) return encodeRfc3986(String(value))
    } catch {
      // Half of a surrogate pair has no UTF-8.
    }
    throw invalid(operation, [{ path: name, message: 'Cannot stand in an address' }])
  }

  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encoded(name, given[name], true))
  const pairs: string[] = []
  for (const name of Object.keys(operation.query ?? {})) {
    for (const value of [given[name]].flat()) {
      if (value !== undefined) pairs.push(`${name}=${encoded(name, value)}`)
    }
  }
  let body = nothing
  if (operation.body) {
    const elsewhere = { ...operation.params, ...operation.query }
    const fields = Object.entries(given).filter(([name]) => !Object.hasOwn(elsewhere, name))
    body = encoder.encode(JSON.stringify(Object.fromEntries(fields)))
  }
  // What is signed is what the URL parser makes of the address, for that is what is sent.
  const url = new URL(baseUrl.origin + baseUrl.pathname.replace(/\/$/, '') + path)
  url.search = pairs.join('&')
  return { method: operation.method, url: url.href, path: url.pathname, query: url.search.slice(1), body }
}
