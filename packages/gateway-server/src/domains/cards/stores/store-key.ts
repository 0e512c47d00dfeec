/**
 * Returns what the name of a store is matched by: without case, width and other variants of characters, and
 * surrounding or repeated space. Upper case first, because `ß` has no other letter in lower case.
 */
export function toStoreKey(name: string): string {
  const folded = name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')
  return folded.trim().replace(/\s+/gu, ' ')
}
