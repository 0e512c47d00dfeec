/** Kinds of reservations, highest priority first. */
const RESERVATION_KINDS = ['paid', 'awarded', 'auction', 'listing'] as const

/**
 * What a reservation is for:
 * - `paid`: an order whose payment was reported or is final, or the open orders of a closed listing. It is owed and never loses its tokens.
 * - `awarded`: the unpaid order of an auction's winner or of an accepted offer.
 * - `auction`, `listing`: no buyer has a right to the tokens yet.
 */
export type ReservationKind = (typeof RESERVATION_KINDS)[number]

/** Units of an asset that its owner has reserved. */
export interface Reservation {
  /** Reservations of the same kind have priority in ascending order of their ids. */
  readonly id: number
  readonly kind: ReservationKind
  readonly quantity: bigint
}

/**
 * Selects the reservations that the owned quantity covers, by priority. A reservation is covered completely
 * or not at all; paid ones always count as covered, whatever is owned.
 *
 * @returns The ids of the covered reservations.
 */
export function selectCoveredReservations(
  owned: bigint,
  reservations: readonly Reservation[],
): ReadonlySet<number> {
  const priority = ({ kind }: Reservation) => RESERVATION_KINDS.indexOf(kind)
  const sorted = reservations.toSorted((a, b) => priority(a) - priority(b) || a.id - b.id)
  const covered = new Set<number>()
  let available = owned
  for (const { id, kind, quantity } of sorted) {
    const isCovered = kind === 'paid' || (owned > 0n && quantity <= available)
    if (!isCovered) continue
    available -= quantity
    covered.add(id)
  }
  return covered
}
