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
const encoder = /* @__PURE__ */ new TextEncoder()

/** Lays an input that was checked out over path, query and body. */
export function wireRequest(
  operation: OperationShape,
  route: string,
  baseUrl: URL,
  input: unknown,
): WireRequest {
  const given = (input ?? {}) as Record<string, unknown>

  function refuse(path: string, message: string): never {
    const issues = [{ path, message }]
    throw new InvalidInput(`${operation.id}: ${path && `${path}: `}${message}`, {
      operation: operation.id,
      issues,
    })
  }
  function encoded(name: string, value: unknown): string {
    try {
      return encodeRfc3986(String(value))
    } catch {
      // Half of a surrogate pair has no UTF-8.
      return refuse(name, 'Cannot be written in an address')
    }
  }

  const path = route.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(given[name])
    // URL parsers take `.` and `..` for steps through the path, and an empty segment changes the route.
    return /^\.{0,2}$/.test(value) ? refuse(name, 'Cannot stand in a path') : encoded(name, value)
  })
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
    try {
      body = encoder.encode(JSON.stringify(Object.fromEntries(fields)))
    } catch {
      // A BigInt or a circle in an open part of the body.
      refuse('', 'Cannot be written as JSON')
    }
  }
  // What is signed is what the URL parser makes of the address, for that is what is sent.
  const url = new URL(baseUrl.origin + baseUrl.pathname.replace(/\/$/, '') + path)
  url.search = pairs.join('&')
  return { method: operation.method, url: url.href, path: url.pathname, query: url.search.slice(1), body }
}
