import { isDeepStrictEqual } from 'node:util'

/** Where two values differ, each by its path and what stood there; nothing where they are the same. */
export function differences(seen: unknown, expected: unknown, path = ''): readonly string[] {
  if (isDeepStrictEqual(seen, expected)) return []
  if (!isObject(seen) || !isObject(expected) || Array.isArray(seen) || Array.isArray(expected))
    return [`${path || 'it'} is ${told(seen)}, not ${told(expected)}`]
  return [...new Set([...Object.keys(expected), ...Object.keys(seen)])].flatMap((key) =>
    differences(seen[key], expected[key], path === '' ? key : `${path}.${key}`),
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

const told = (value: unknown) => (value === undefined ? 'missing' : JSON.stringify(value))
