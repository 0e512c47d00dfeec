import { isObject, type JsonObject } from '../payment/fields.ts'
import type { FieldProblem } from '../payment/listing.ts'
import { toShownText } from './text-rules.ts'

/** The most steps of one comparison, so that references and alternatives cannot multiply the work. */
const MAX_STEPS = 20_000
/** The characters of a text that are counted in one step. */
const CHARACTERS_PER_STEP = 64
const MAX_DEPTH = 64
const MAX_SHOWN_VALUES = 10

/** The schema is too expensive to evaluate, or not a schema. */
class SchemaProblem extends Error {
  override readonly name = 'SchemaProblem'
}

/**
 * Compares a caller's value with the caller's own JSON Schema (draft 2020-12). Returns the first field that
 * does not match.
 *
 * A schema is data here: nothing is compiled, no reference leaves the document, and the work is bounded.
 * Regular expressions are not executed, because a caller could write one that takes forever. Keywords that
 * are not listed in this file accept any value.
 */
export function findSchemaProblem(
  value: unknown,
  schema: JsonObject,
  fields: { value: string; schema: string },
): FieldProblem | undefined {
  const external = findExternalReference(schema)
  if (external !== undefined)
    return { field: fields.schema, problem: `must not contain the external ${external}` }
  try {
    return new Evaluation(schema).find(value, schema, fields.value, 0)
  } catch (error) {
    if (error instanceof SchemaProblem) return { field: fields.schema, problem: error.message }
    throw error
  }
}

/** Returns the name of a reference that does not begin with `#`. */
function findExternalReference(schema: JsonObject): string | undefined {
  const pending: unknown[] = [schema]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== 'object' || next === null) continue
    for (const [name, part] of Object.entries(next)) {
      const isReference = name === '$ref' || name === '$id' || name === '$dynamicRef'
      if (isReference && !(typeof part === 'string' && part.startsWith('#'))) return name
      pending.push(part)
    }
  }
  return undefined
}

const own = (object: JsonObject, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined

const isLimit = (limit: unknown): limit is number => typeof limit === 'number'

class Evaluation {
  readonly #root: JsonObject
  #steps = 0

  constructor(root: JsonObject) {
    this.#root = root
  }

  find(value: unknown, schema: unknown, field: string, depth: number): FieldProblem | undefined {
    this.#spend(1)
    if (depth > MAX_DEPTH) throw new SchemaProblem('is too complex')
    if (schema === true) return undefined
    if (schema === false) return { field, problem: 'is not allowed' }
    if (!isObject(schema)) throw new SchemaProblem('must contain only objects and booleans as schemas')
    const problem = this.#findTypeProblem(value, schema) ?? this.#findSizeProblem(value, schema)
    if (problem !== undefined) return { field, problem }
    return (
      this.#findInReference(value, schema, field, depth) ??
      this.#findInAlternatives(value, schema, field, depth) ??
      (isObject(value) ? this.#findInProperties(value, schema, field, depth) : undefined) ??
      (Array.isArray(value) ? this.#findInItems(value, schema, field, depth) : undefined)
    )
  }

  #spend(steps: number): void {
    this.#steps += steps
    if (this.#steps > MAX_STEPS) throw new SchemaProblem('is too complex')
  }

  #findInReference(value: unknown, schema: JsonObject, field: string, depth: number) {
    const reference = own(schema, '$ref')
    if (typeof reference !== 'string') return undefined
    return this.find(value, this.#resolve(reference), field, depth + 1)
  }

  #resolve(reference: string): unknown {
    this.#spend(reference.length / CHARACTERS_PER_STEP)
    let target: unknown = this.#root
    for (const part of reference.slice(1).split('/').slice(1)) {
      const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
      target =
        typeof target === 'object' && target !== null && Object.hasOwn(target, name)
          ? Reflect.get(target, name)
          : undefined
    }
    if (target === undefined) throw new SchemaProblem('contains a $ref that leads nowhere')
    return target
  }

  #findInAlternatives(value: unknown, schema: JsonObject, field: string, depth: number) {
    const matches = (part: unknown) => this.find(value, part, field, depth + 1) === undefined
    const all = own(schema, 'allOf')
    if (Array.isArray(all)) {
      for (const part of all) {
        const problem = this.find(value, part, field, depth + 1)
        if (problem !== undefined) return problem
      }
    }
    const any = own(schema, 'anyOf')
    if (Array.isArray(any) && !any.some(matches)) return { field, problem: 'must match a schema of anyOf' }
    const one = own(schema, 'oneOf')
    if (Array.isArray(one) && one.filter(matches).length !== 1)
      return { field, problem: 'must match exactly one schema of oneOf' }
    const not = own(schema, 'not')
    return not !== undefined && matches(not)
      ? { field, problem: 'must not match the schema of not' }
      : undefined
  }

  #findInProperties(value: JsonObject, schema: JsonObject, field: string, depth: number) {
    const required = own(schema, 'required')
    for (const name of Array.isArray(required) ? required : []) {
      this.#spend(1)
      if (typeof name === 'string' && !Object.hasOwn(value, name))
        return { field: `${field}.${toShownText(name)}`, problem: 'is required' }
    }
    const properties = own(schema, 'properties')
    const known = isObject(properties) ? properties : {}
    // Which other names patternProperties allows depends on regular expressions.
    const others =
      own(schema, 'patternProperties') === undefined ? own(schema, 'additionalProperties') : undefined
    const parts = Object.entries(value)
    this.#spend(parts.length)
    for (const [name, part] of parts) {
      const partSchema = Object.hasOwn(known, name) ? known[name] : others
      if (partSchema === undefined) continue
      const problem = this.find(part, partSchema, `${field}.${toShownText(name)}`, depth + 1)
      if (problem !== undefined) return problem
    }
    return undefined
  }

  #findInItems(value: readonly unknown[], schema: JsonObject, field: string, depth: number) {
    const prefix = own(schema, 'prefixItems')
    const first = Array.isArray(prefix) ? prefix : []
    const items = own(schema, 'items')
    for (const [index, item] of value.entries()) {
      const itemSchema = index < first.length ? first[index] : items
      if (itemSchema === undefined) return undefined
      const problem = this.find(item, itemSchema, `${field}.${index}`, depth + 1)
      if (problem !== undefined) return problem
    }
    return undefined
  }

  #findTypeProblem(value: unknown, schema: JsonObject): string | undefined {
    const type = own(schema, 'type')
    const types = Array.isArray(type) ? type : type === undefined ? [] : [type]
    this.#spend(types.length)
    const actual = getType(value)
    const hasType = types.some((each) => each === actual || (each === 'integer' && Number.isInteger(value)))
    if (types.length > 0 && !hasType)
      return `must be of type ${toShownText(types.slice(0, MAX_SHOWN_VALUES).map(toShownValue).join(' or '))}`
    const constant = own(schema, 'const')
    if (constant !== undefined && !this.#isEqual(value, constant)) return 'must be the value of const'
    const values = own(schema, 'enum')
    if (Array.isArray(values) && !values.some((each) => this.#isEqual(value, each))) {
      return `must be one of ${toShownText(values.slice(0, MAX_SHOWN_VALUES).map(toShownValue).join(', '))}`
    }
    return undefined
  }

  /** Compares two values. The order of properties does not matter in JSON Schema. */
  #isEqual(first: unknown, second: unknown): boolean {
    this.#spend(1)
    if (typeof first !== 'object' || typeof second !== 'object' || first === null || second === null)
      return first === second
    const names = Object.keys(first)
    const others = Object.keys(second)
    this.#spend(names.length + others.length)
    if (Array.isArray(first) !== Array.isArray(second) || names.length !== others.length) return false
    return names.every(
      (name) =>
        Object.hasOwn(second, name) && this.#isEqual(Reflect.get(first, name), Reflect.get(second, name)),
    )
  }

  #findSizeProblem(value: unknown, schema: JsonObject): string | undefined {
    const type = getType(value)
    for (const [keyword, appliesTo, fails] of SIZES) {
      const limit = own(schema, keyword)
      if (type !== appliesTo || !isLimit(limit)) continue
      const size = getSize(value)
      if (type !== 'number') this.#spend(type === 'object' ? size : size / CHARACTERS_PER_STEP)
      if (fails(size, limit)) return `must satisfy ${keyword} ${limit}`
    }
    return undefined
  }
}

function getType(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** The keywords that compare a size with a limit. */
const SIZES: readonly (readonly [
  keyword: string,
  type: string,
  fails: (size: number, limit: number) => boolean,
])[] = [
  ['minLength', 'string', (size, limit) => size < limit],
  ['maxLength', 'string', (size, limit) => size > limit],
  ['minItems', 'array', (size, limit) => size < limit],
  ['maxItems', 'array', (size, limit) => size > limit],
  ['minProperties', 'object', (size, limit) => size < limit],
  ['maxProperties', 'object', (size, limit) => size > limit],
  ['minimum', 'number', (size, limit) => size < limit],
  ['maximum', 'number', (size, limit) => size > limit],
  ['exclusiveMinimum', 'number', (size, limit) => size <= limit],
  ['exclusiveMaximum', 'number', (size, limit) => size >= limit],
]

const toShownValue = (value: unknown): string => (typeof value === 'object' ? getType(value) : String(value))

function getSize(value: unknown): number {
  if (typeof value === 'number') return value
  // Lengths are in code points.
  if (typeof value === 'string') return [...value].length
  if (Array.isArray(value)) return value.length
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0
}
