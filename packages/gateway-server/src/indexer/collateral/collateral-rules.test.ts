import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RESERVATION_KINDS, type Reservation, selectCoveredReservations } from './collateral-rules.ts'

const reservation = (id: number, kind: Reservation['kind'], quantity: bigint): Reservation => ({
  id,
  kind,
  quantity,
})
const listings = [
  reservation(12, 'listing', 4n),
  reservation(10, 'listing', 5n),
  reservation(11, 'listing', 3n),
]
const all = [
  reservation(1, 'listing', 2n),
  reservation(2, 'auction', 3n),
  reservation(3, 'awarded', 4n),
  reservation(4, 'paid', 5n),
]

describe('selectCoveredReservations', () => {
  it.each([
    ['covers all reservations when the owner has enough for all', 12n, listings, [10, 11, 12]],
    ['covers the oldest listings when the owner has too few for all', 8n, listings, [10, 11]],
    ['covers a later listing when an earlier one needs more than is owned', 4n, listings, [11]],
    ['covers no listing when nothing is owned', 0n, listings, []],
    ['covers paid reservations first, then awarded ones, auctions and listings', 14n, all, [4, 3, 2, 1]],
    ['prefers an auction to a listing', 13n, all, [4, 3, 2]],
    ['prefers an awarded reservation to an auction', 11n, all, [4, 3, 1]],
    ['prefers a paid reservation to an awarded one', 8n, all, [4, 2]],
    ['keeps a paid reservation even when nothing is owned', 0n, all, [4]],
  ] as const)('selectCoveredReservations %s', (_, owned, reservations, ids) => {
    expect([...selectCoveredReservations(owned, reservations)]).toEqual([...ids])
  })

  it('selectCoveredReservations never covers more than is owned, except for paid reservations', () => {
    const reservation = fc.record({
      id: fc.nat(),
      kind: fc.constantFrom(...RESERVATION_KINDS),
      quantity: fc.bigInt({ min: 0n, max: 9n }),
    })
    const reservations = fc.uniqueArray(reservation, { selector: ({ id }) => id })
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 40n }), reservations, (owned, each) => {
        const covered = selectCoveredReservations(owned, each)
        const sum = (some: readonly Reservation[]) =>
          some.reduce((total, { quantity }) => total + quantity, 0n)
        const coveredOnes = each.filter(({ id }) => covered.has(id))
        const paid = sum(each.filter(({ kind }) => kind === 'paid'))
        const others = sum(coveredOnes.filter(({ kind }) => kind !== 'paid'))
        expect(others === 0n || others + paid <= owned).toBe(true)
      }),
    )
  })
})
