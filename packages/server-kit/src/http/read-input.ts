import { describeIssue, type Entries, type Issue } from '@mintmark/envelope'
import { findOneOfIssue, inputSchema, type OperationShape } from '@mintmark/operation'
import * as v from 'valibot'
import { HttpError } from './http-error.ts'

/** The type that a text of a query or a path is parsed as. */
type TextType = 'number' | 'boolean' | 'list' | 'text'

/** The part of a valibot schema that is used here. */
interface SchemaNode {
  type?: string
  wrapped?: SchemaNode
  pipe?: readonly SchemaNode[]
}

/** Returns the text type of a schema: the type inside its wrappers and its pipe. */
function getTextType(schema: v.GenericSchema): TextType {
  // valibot's generic types hide the parts of a schema.
  let node = schema as unknown as SchemaNode
  while (node.wrapped) node = node.wrapped
  const type = node.pipe?.[0]?.type ?? node.type
  if (type === 'number' || type === 'boolean') return type
  return type === 'array' ? 'list' : 'text'
}

/**
 * Parses a text. One that does not have its type is returned unchanged, so that the schema reports the field.
 */
function parseText(text: string, type: TextType): unknown {
  if (type === 'number') return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text
  if (type === 'boolean' && text === 'true') return true
  if (type === 'boolean' && text === 'false') return false
  return text
}

const textTypes = new WeakMap<Entries, Map<string, TextType>>()

/** Returns the text type of each field. Computed once for each operation. */
export function getTextTypes(entries: Entries): Map<string, TextType> {
  let types = textTypes.get(entries)
  if (types === undefined) {
    types = new Map(Object.entries(entries).map(([name, schema]) => [name, getTextType(schema)]))
    textTypes.set(entries, types)
  }
  return types
}

/** A response reports at most this many issues, so that its size is bounded for any input. */
const MAX_REPORTED_ISSUES = 20
/** Longer paths of issues are truncated to this many code units. */
const MAX_PATH_LENGTH = 100
/** The message of a response contains this many issues. */
const ISSUES_IN_MESSAGE = 3

function createInputError(issues: readonly Issue[]): HttpError {
  const reported = issues.slice(0, MAX_REPORTED_ISSUES).map(({ path, message }) => ({
    // The cut may split a surrogate pair.
    path: path.length > MAX_PATH_LENGTH ? `${path.slice(0, MAX_PATH_LENGTH).toWellFormed()}…` : path,
    message,
  }))
  const messages = reported
    .slice(0, ISSUES_IN_MESSAGE)
    .map(({ path, message }) => (path ? `${path}: ${message}` : message))
  if (issues.length > ISSUES_IN_MESSAGE) messages.push(`${issues.length - ISSUES_IN_MESSAGE} more`)
  return new HttpError(400, messages.join('; '), { issues: reported })
}

/** Deeper than any record. It bounds the recursion of all code that walks an input. */
const MAX_DEPTH = 64

/**
 * Finds a text that PostgreSQL cannot store unchanged: one with U+0000, or with half of a surrogate pair
 * (jsonb rejects it, and text would store U+FFFD instead).
 */
function findUnstorable(value: unknown, path: string, depth = 0): Issue | undefined {
  if (typeof value === 'string') {
    if (value.includes('\0')) return { path, message: 'Contains U+0000' }
    return value.isWellFormed() ? undefined : { path, message: 'Contains half of a surrogate pair' }
  }
  if (typeof value !== 'object' || value === null) return undefined
  if (depth >= MAX_DEPTH) return { path, message: `Nested deeper than ${MAX_DEPTH} levels` }
  for (const [key, inner] of Object.entries(value)) {
    const issue =
      findUnstorable(key, path, depth) ?? findUnstorable(inner, path ? `${path}.${key}` : key, depth + 1)
    if (issue !== undefined) return issue
  }
  return undefined
}

/** Parses a body, which must be a JSON object. */
function parseBody(bytes: Uint8Array): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw createInputError([
      { path: '', message: bytes.length === 0 ? 'A JSON body is required' : 'The body is not JSON' },
    ])
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const received = value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`
    throw createInputError([{ path: '', message: `The body must be a JSON object, received ${received}` }])
  }
  return value as Record<string, unknown>
}

const schemas = new WeakMap<OperationShape, ReturnType<typeof inputSchema>>()

/** Returns the input schema of an operation. Created once for each operation. */
function getSchema(operation: OperationShape): ReturnType<typeof inputSchema> {
  let schema = schemas.get(operation)
  if (schema === undefined) {
    schema = inputSchema(operation)
    schemas.set(operation, schema)
  }
  return schema
}

/**
 * Reads the input of a call from its path, query and body, and validates it; throws an HttpError that names
 * the fields.
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
    const types = getTextTypes(operation.params)
    for (const [name, type] of types) input[name] = parseText(parts.params[name] ?? '', type)
  }
  if (parts.query !== '') {
    const types = operation.query ? getTextTypes(operation.query) : new Map<string, TextType>()
    for (const [name, text] of new URLSearchParams(parts.query)) {
      const type = types.get(name)
      if (type === undefined) unknown.push({ path: name, message: 'Unknown field' })
      else if (type === 'list') input[name] = [...((input[name] as string[] | undefined) ?? []), text]
      else if (Object.hasOwn(input, name)) unknown.push({ path: name, message: 'Given more than once' })
      else input[name] = parseText(text, type)
    }
  }
  if (operation.body) {
    for (const [name, value] of Object.entries(parseBody(parts.body))) {
      const isDeclared = Object.hasOwn(operation.body, name) || operation.openBody
      if (!isDeclared || name === '__proto__') unknown.push({ path: name, message: 'Unknown field' })
      else input[name] = value
    }
  } else if (parts.body.length > 0) {
    unknown.push({ path: '', message: 'This operation takes no body' })
  }
  if (unknown.length > 0) throw createInputError(unknown)
  validateInput(operation, input, checkLimits)
  return input
}

/** Validates the input of a call; throws an HttpError that names the fields. */
export function validateInput(
  operation: OperationShape,
  input: Record<string, unknown>,
  checkLimits: (input: Record<string, unknown>) => Issue | undefined,
): void {
  const result = v.safeParse(getSchema(operation), input)
  if (!result.success) throw createInputError(result.issues.map(describeIssue))
  const issue = findOneOfIssue(operation, input) ?? findUnstorable(input, '') ?? checkLimits(input)
  if (issue !== undefined) throw createInputError([issue])
}
