/** How many letters may differ. */
const MAX_DISTANCE = 3

/** Counts the letters to insert, delete or replace. */
function getDistance(one: string, other: string): number {
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i += 1) {
    const current = [i]
    for (let j = 1; j <= other.length; j += 1) {
      const replaced = (previous[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)
      current[j] = Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, replaced)
    }
    previous = current
  }
  return previous[other.length] ?? 0
}

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
  const distances = names.map((name) => ({ name, distance: getDistance(word, normalizeName(name)) }))
  const [nearest] = distances.toSorted((a, b) => a.distance - b.distance)
  const isNear = nearest !== undefined && nearest.distance <= Math.min(MAX_DISTANCE, word.length / 2)
  return isNear ? nearest.name : names.find((name) => isPart(word, normalizeName(name)))
}

/** Completes a message about a name that does not exist. */
export function suggestName(given: string, names: readonly string[]): string {
  const similar = findSimilarName(given, names)
  return similar === undefined ? '' : `. Did you mean ${similar}?`
}
