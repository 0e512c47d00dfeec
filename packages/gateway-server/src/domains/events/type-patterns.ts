import { eventTypes } from '@mintmark/events'
import type { Refuse } from '@mintmark/server-kit'

const TYPE_NAMES = Object.keys(eventTypes)

/** Returns the names of types that match names and patterns such as `order.*`; undefined for all types. */
export function readTypes(
  text: string | undefined,
  invalid: Refuse<never>['invalid'],
): readonly string[] | undefined {
  if (text === undefined) return undefined
  const names = new Set<string>()
  for (const pattern of text.split(',').map((each) => each.trim())) {
    if (pattern === '*') return undefined
    const isMatch = pattern.endsWith('.*')
      ? (name: string) => name.startsWith(pattern.slice(0, -1))
      : (name: string) => name === pattern
    const matches = TYPE_NAMES.filter(isMatch)
    if (matches.length === 0) {
      invalid('types', `No type of event matches ${JSON.stringify(pattern.slice(0, 100))}`)
    }
    for (const name of matches) names.add(name)
  }
  return [...names]
}
