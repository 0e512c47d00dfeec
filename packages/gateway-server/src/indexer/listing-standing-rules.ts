/** A listing that is open, and how many of the token it holds. */
export interface OpenListing {
  readonly id: number
  readonly holds: bigint
}

/**
 * Which of an owner's open listings stand, the chain having it own so many: what else is promised comes first, then the listings in the
 * order in which they were made, each as a whole. The others are INACTIVE until there is enough again.
 */
export function standing(
  owned: bigint,
  held: bigint,
  listings: readonly OpenListing[],
): ReadonlyMap<number, 'ON' | 'INACTIVE'> {
  let free = owned - held + listings.reduce((sum, { holds }) => sum + holds, 0n)
  const states = new Map<number, 'ON' | 'INACTIVE'>()
  for (const { id, holds } of listings.toSorted((a, b) => a.id - b.id)) {
    const stands = owned > 0n && holds <= free
    if (stands) free -= holds
    states.set(id, stands ? 'ON' : 'INACTIVE')
  }
  return states
}
