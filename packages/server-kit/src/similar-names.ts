import { distance } from 'fastest-levenshtein'

/** How many letters may differ. */
const MAX_DISTANCE = 3

/** Returns the name that a person probably meant: the one with the fewest other letters, if they are few. */
export function findSimilarName(given: string, names: readonly string[]): string | undefined {
  const word = given.toLowerCase()
  const distances = names.map((name) => ({ name, letters: distance(word, name.toLowerCase()) }))
  const [nearest] = distances.toSorted((a, b) => a.letters - b.letters)
  return nearest !== undefined && nearest.letters <= Math.min(MAX_DISTANCE, word.length / 3)
    ? nearest.name
    : undefined
}

/** Completes a message about a name that does not exist. */
export function suggestName(given: string, names: readonly string[]): string {
  const similar = findSimilarName(given, names)
  return similar === undefined ? '' : `. Did you mean ${similar}?`
}
