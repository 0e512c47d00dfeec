/** What is promised of a token, by how firmly: the first comes before the others. */
export const CLAIMS = ['paid', 'awarded', 'auction', 'listing'] as const

/**
 * How firm a promise is:
 * - `paid`: a payment was reported or was final, or a listing that is closed has open orders; what is promised like this stays so;
 * - `awarded`: an auction's winner, or who made an offer that was accepted, has an order and can pay;
 * - `auction`, `listing`: nobody has a right to it yet.
 */
export type Claim = (typeof CLAIMS)[number]

/** Something that an owner has promised so many of a token to. */
export interface Promised {
  /** The hold's id: promises of one kind stand in the order in which they were made. */
  readonly id: number
  readonly claim: Claim
  readonly holds: bigint
}

/**
 * Which of an owner's promises stand, the chain having it own so many. Each stands as a whole or not at all; what is paid is owed whether
 * there is enough for it or not. Answers the ids of those that stand.
 */
export function standing(owned: bigint, promises: readonly Promised[]): ReadonlySet<number> {
  const firmness = ({ claim }: Promised) => CLAIMS.indexOf(claim)
  const inOrder = promises.toSorted((a, b) => firmness(a) - firmness(b) || a.id - b.id)
  const stands = new Set<number>()
  let free = owned
  for (const { id, claim, holds } of inOrder) {
    if (claim !== 'paid' && (owned === 0n || holds > free)) continue
    free -= holds
    stands.add(id)
  }
  return stands
}
