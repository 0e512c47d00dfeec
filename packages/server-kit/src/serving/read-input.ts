import { describeIssue, type Entries, type Issue } from '@mintmark/envelope'
import { inputSchema, type OperationShape } from '@mintmark/operation'
import * as v from 'valibot'
import { Refusal } from './http-error.ts'

type Reading = 'number' | 'boolean' | 'list' | 'text'

interface Inner {
  type?: string
  wrapped?: Inner
  pipe?: readonly Inner[]
}

/** How a query's or a path's text is read for a schema: by the type at its core. */
function readingOf(schema: v.GenericSchema): Reading {
  let at = schema as unknown as Inner
  while (at.wrapped) at = at.wrapped
  const type = at.pipe?.[0]?.type ?? at.type
  return type === 'number' || type === 'boolean' ? type : type === 'array' ? 'list' : 'text'
}

// A text that does not read as its type is left as it is: the schema then names the field.
function read(text: string, reading: Reading): unknown {
  if (reading === 'number') return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text
  if (reading === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  return text
}

const readings = new WeakMap<Entries, Map<string, Reading>>()

/** How each field's text is read. */
export function readingsOf(entries: Entries): Map<string, Reading> {
  let found = readings.get(entries)
  if (found === undefined) {
    found = new Map(Object.entries(entries).map(([name, schema]) => [name, readingOf(schema)]))
    readings.set(entries, found)
  }
  return found
}

/** A body of a thousand wrong fields is answered with the first of them, and a field's name with its beginning. */
const ISSUES_TOLD = 20
const NAME_TOLD = 100

function refused(issues: readonly Issue[]): Refusal {
  const few = issues.slice(0, ISSUES_TOLD).map(({ path, message }) => ({
    // Its beginning may end within a character.
    path: path.length > NAME_TOLD ? `${path.slice(0, NAME_TOLD).toWellFormed()}…` : path,
    message,
  }))
  const told = few.slice(0, 3).map(({ path, message }) => (path ? `${path}: ${message}` : message))
  return new Refusal(400, told.join('; '), { issues: few })
}

/** Deeper than any record; what walks a value recursively can rely on it. */
const MAX_DEPTH = 64

/**
 * What no field has a use for and the database cannot hold or would change: U+0000, and halves of characters that are written as two
 * (PostgreSQL's jsonb refuses them, its text would get U+FFFD instead).
 */
function findUnstorable(value: unknown, path: string, depth = 0): Issue | undefined {
  if (typeof value === 'string') {
    if (value.includes('\0')) return { path, message: 'Holds U+0000' }
    return value.isWellFormed() ? undefined : { path, message: 'Holds half of a surrogate pair' }
  }
  if (typeof value !== 'object' || value === null) return undefined
  if (depth >= MAX_DEPTH) return { path, message: `Nested deeper than ${MAX_DEPTH} levels` }
  for (const [key, inner] of Object.entries(value)) {
    const found =
      findUnstorable(key, path, depth) ?? findUnstorable(inner, path ? `${path}.${key}` : key, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

/** A body as an object; anything else is refused. */
function readBody(bytes: Uint8Array): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw refused([
      { path: '', message: bytes.length === 0 ? 'A JSON body is required' : 'The body is not JSON' },
    ])
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const received = value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`
    throw refused([{ path: '', message: `The body must be a JSON object, received ${received}` }])
  }
  return value as Record<string, unknown>
}

const schemas = new WeakMap<OperationShape, ReturnType<typeof inputSchema>>()

/** Made once for each operation: a client makes it for each call, and spares its program the bytes. */
function schemaOf(operation: OperationShape): ReturnType<typeof inputSchema> {
  let schema = schemas.get(operation)
  if (schema === undefined) {
    schema = inputSchema(operation)
    schemas.set(operation, schema)
  }
  return schema
}

/**
 * Reads one call's input from its parts and checks it; throws a Refusal that names the fields.
 *
 * @param checkLimits Finds the first field that exceeds its limit: see `limitCheck`.
 */
export function readInput(
  operation: OperationShape,
  parts: { params: Record<string, string>; query: string; body: Uint8Array },
  checkLimits: (input: Record<string, unknown>) => Issue | undefined,
): Record<string, unknown> {
  const input: Record<string, unknown> = {}
  const unknown: Issue[] = []
  if (operation.params) {
    const kinds = readingsOf(operation.params)
    for (const [name, reading] of kinds) input[name] = read(parts.params[name] ?? '', reading)
  }
  if (parts.query !== '') {
    const kinds = operation.query ? readingsOf(operation.query) : new Map<string, Reading>()
    for (const [name, text] of new URLSearchParams(parts.query)) {
      const reading = kinds.get(name)
      if (reading === undefined) unknown.push({ path: name, message: 'Unknown field' })
      else if (reading === 'list') input[name] = [...((input[name] as string[] | undefined) ?? []), text]
      else if (Object.hasOwn(input, name)) unknown.push({ path: name, message: 'Given more than once' })
      else input[name] = read(text, reading)
    }
  }
  if (operation.body) {
    for (const [name, value] of Object.entries(readBody(parts.body))) {
      const known = Object.hasOwn(operation.body, name) || operation.openBody
      if (!known || name === '__proto__') unknown.push({ path: name, message: 'Unknown field' })
      else input[name] = value
    }
  } else if (parts.body.length > 0) {
    unknown.push({ path: '', message: 'This operation takes no body' })
  }
  if (unknown.length > 0) throw refused(unknown)
  const result = v.safeParse(schemaOf(operation), input)
  if (!result.success) throw refused(result.issues.map(describeIssue))
  const wrong = findUnstorable(input, '') ?? checkLimits(input)
  if (wrong !== undefined) throw refused([wrong])
  return input
}
