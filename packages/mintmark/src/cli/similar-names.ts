import { distance } from 'fastest-levenshtein'

/** How many letters may differ. */
const MAX_DISTANCE = 3

/** Removes what names of one field may differ in: case, spaces, hyphens and underscores. */
export function normalizeName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

/** Whether each name is a part of the other, as `id` of `cardId`. */
function isPart(one: string, other: string): boolean {
  return one.length > 1 && (other.startsWith(one) || other.endsWith(one))
}

/**
 * Finds the name that a person probably meant: the one with the fewest other letters, else one that begins or
 * ends with the given name.
 */
export function findSimilarName(given: string, names: readonly string[]): string | undefined {
  const word = normalizeName(given)
  const distances = names.map((name) => ({ name, letters: distance(word, normalizeName(name)) }))
  const [nearest] = distances.toSorted((a, b) => a.letters - b.letters)
  const isNear = nearest !== undefined && nearest.letters <= Math.min(MAX_DISTANCE, word.length / 2)
  return isNear ? nearest.name : names.find((name) => isPart(word, normalizeName(name)))
}

/** Completes a message about a name that does not exist. */
export function suggestName(given: string, names: readonly string[]): string {
  const similar = findSimilarName(given, names)
  return similar === undefined ? '' : `. Did you mean ${similar}?`
}
