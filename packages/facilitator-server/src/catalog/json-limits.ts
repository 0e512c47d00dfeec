import { isObject } from '../payment/fields.ts'
import type { FieldProblem } from '../payment/listing.ts'
import { findTextProblem, toShownText } from './text-rules.ts'

/** Sizes of a caller's JSON. */
export interface JsonLimits {
  readonly bytes: number
  readonly depth: number
  readonly values: number
}

/**
 * Returns the first part of a caller's JSON that exceeds a limit or contains a text that cannot be stored.
 * Does not recurse.
 */
export function findJsonProblem(value: unknown, field: string, limits: JsonLimits): FieldProblem | undefined {
  const pending: { value: unknown; field: string; depth: number }[] = [{ value, field, depth: 0 }]
  let values = 1
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const problem = findValueProblem(next, limits)
    if (problem !== undefined) return { field: next.field, problem }
    if (!Array.isArray(next.value) && !isObject(next.value)) continue
    // Counted before they are listed, because a body has room for many.
    values += Array.isArray(next.value) ? next.value.length : Object.keys(next.value).length
    if (values > limits.values) return { field, problem: `must have at most ${limits.values} values` }
    for (const [name, part] of Object.entries(next.value)) {
      const path = `${next.field}.${toShownText(name)}`
      const nameProblem = findTextProblem(name, limits.bytes)
      if (nameProblem !== undefined) return { field: path, problem: nameProblem }
      pending.push({ value: part, field: path, depth: next.depth + 1 })
    }
  }
  // Measured last: `JSON.stringify` recurses, and the depth is known to be small here.
  const bytes = Buffer.byteLength(JSON.stringify(value) ?? '')
  return bytes > limits.bytes
    ? { field, problem: `must be at most ${limits.bytes} bytes of JSON` }
    : undefined
}

function findValueProblem(
  { value, depth }: { value: unknown; depth: number },
  limits: JsonLimits,
): string | undefined {
  if (depth > limits.depth) return `must be nested at most ${limits.depth} levels deep`
  return typeof value === 'string' ? findTextProblem(value, limits.bytes) : undefined
}
