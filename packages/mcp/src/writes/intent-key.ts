import { createHash } from 'node:crypto'

/** Serializes JSON with sorted names, so that equal inputs have equal texts. */
export function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}

/** Hashes parts of a key. The parts cannot run into each other. */
export function hashParts(...parts: readonly unknown[]): string {
  return createHash('sha256').update(toCanonicalJson(parts)).digest('hex')
}
