import { eventTypes } from '@mintmark/events'
import { type Refuse, suggestName } from '@mintmark/server-kit'

const TYPE_NAMES = Object.keys(eventTypes)
const GROUP_PATTERNS = [...new Set(TYPE_NAMES.map((name) => `${name.split('.')[0]}.*`))]

/** Returns the names of the types that match a name or a pattern such as `order.*` or `*`. */
function findTypes(pattern: string): readonly string[] {
  if (pattern === '*') return TYPE_NAMES
  if (!pattern.endsWith('.*')) return TYPE_NAMES.filter((name) => name === pattern)
  return TYPE_NAMES.filter((name) => name.startsWith(pattern.slice(0, -1)))
}

/** Returns the names of types that match names and patterns, separated by commas; undefined for all types. */
export function readTypes(
  text: string | undefined,
  invalid: Refuse['invalid'],
): readonly string[] | undefined {
  if (text === undefined) return undefined
  const names = new Set<string>()
  for (const pattern of text.split(',').map((each) => each.trim())) {
    if (pattern === '*') return undefined
    for (const name of matchTypes(pattern, 'types', invalid)) names.add(name)
  }
  return [...names]
}

/** Returns the names of the types that match a pattern. Refuses a pattern that matches none, and names a similar one. */
export function matchTypes(pattern: string, field: string, invalid: Refuse['invalid']): readonly string[] {
  const matches = findTypes(pattern)
  if (matches.length > 0) return matches
  const suggestion = suggestName(pattern, [...TYPE_NAMES, ...GROUP_PATTERNS])
  return invalid(field, `No type of event matches ${JSON.stringify(pattern.slice(0, 100))}${suggestion}`)
}
