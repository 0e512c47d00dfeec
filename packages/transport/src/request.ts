import { type Bytes, encodeRfc3986, utf8 } from '@mintmark/core-auth'
import { createInputError, type OperationShape } from '@mintmark/operation'

/** A call's address and bytes, before it is signed. */
export interface WireRequest {
  method: string
  /** The server's address without its path. */
  origin: string
  /** The whole address. */
  url: string
  /** The path that is signed and sent. */
  path: string
  /** Without the question mark. */
  query: string
  /** The pairs of `query` in the order in which they are signed. */
  canonicalQuery: string
  body: Bytes
}

/**
 * Percent-encodes a value of a path, or a name or a value of a query. Throws an `InvalidInputError` for one that
 * cannot be sent.
 */
function encodeField(operation: OperationShape, name: string, value: unknown, isSegment?: boolean): string {
  // URL parsers resolve `.` and `..`, and an empty segment changes the route.
  const isAllowed = !isSegment || !/^\.{0,2}$/.test(value as string)
  try {
    // Like `test`, it converts numbers and booleans.
    if (isAllowed) return encodeRfc3986(value as string)
  } catch {
    // Half of a surrogate pair has no UTF-8.
  }
  throw createInputError(operation, [{ path: name, message: 'Malformed' }])
}

/**
 * Distributes a checked input over path, query and body.
 *
 * @param prefix The path of the server's address, without a slash at its end.
 */
export function wireRequest(
  operation: OperationShape,
  origin: string,
  prefix: string,
  input: unknown,
): WireRequest {
  // A read copies nothing: its fields are in the path and the query.
  const fields = (operation.body ? { ...(input as object) } : input) as Record<string, unknown>
  // Nothing that `encodeField` returns is normalized by parsers of URLs, so the path that is signed is the
  // one that is sent.
  const path =
    prefix +
    operation.path.replace(/\{(\w+)\}/g, (_, name) => encodeField(operation, name, fields[name], true))
  const pairs: string[] = []
  for (const name in operation.query) {
    const field = fields[name]
    for (const value of Array.isArray(field) ? field : [field]) {
      // A line feed sorts before all encoded text: pairs are sorted by name, then by value.
      if (value !== undefined)
        pairs.push(`${encodeField(operation, name, name)}\n${encodeField(operation, name, value)}`)
    }
  }
  const joinPairs = () => pairs.join('&').replaceAll('\n', '=')
  const query = joinPairs()
  if (operation.body) for (const name in { ...operation.params, ...operation.query }) delete fields[name]
  pairs.sort()
  return {
    method: operation.method,
    origin,
    url: origin + path + (query && `?${query}`),
    path,
    query,
    canonicalQuery: joinPairs(),
    body: utf8(operation.body ? JSON.stringify(fields) : ''),
  }
}
