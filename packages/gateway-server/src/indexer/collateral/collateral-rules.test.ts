import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CLAIMS, type Promised, standing } from './collateral-rules.ts'

const promise = (id: number, claim: Promised['claim'], holds: bigint): Promised => ({ id, claim, holds })
const listings = [promise(12, 'listing', 4n), promise(10, 'listing', 5n), promise(11, 'listing', 3n)]
const all = [
  promise(1, 'listing', 2n),
  promise(2, 'auction', 3n),
  promise(3, 'awarded', 4n),
  promise(4, 'paid', 5n),
]

describe('of what an owner has promised', () => {
  it.each([
    ['all stands where there is enough for all', 12n, listings, [10, 11, 12]],
    ['the first made stand where there is not', 8n, listings, [10, 11]],
    ['one made later stands where one before asks too much', 4n, listings, [11]],
    ['nothing stands where nothing is left', 0n, listings, []],
    ['what is paid comes first, then what is awarded, auctions, and listings', 14n, all, [4, 3, 2, 1]],
    ['a listing yields to an auction', 13n, all, [4, 3, 2]],
    ['an auction yields to what is awarded', 11n, all, [4, 3, 1]],
    ['what is awarded yields to what is paid', 8n, all, [4, 2]],
    ['what is paid stays, whatever is left', 0n, all, [4]],
  ] as const)('%s', (_, owned, promises, ids) => {
    expect([...standing(owned, promises)]).toEqual([...ids])
  })

  it('no more stands than there is, but for what is paid', () => {
    const promised = fc.record({
      id: fc.nat(),
      claim: fc.constantFrom(...CLAIMS),
      holds: fc.bigInt({ min: 0n, max: 9n }),
    })
    const promises = fc.uniqueArray(promised, { selector: ({ id }) => id })
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 40n }), promises, (owned, each) => {
        const stands = standing(owned, each)
        const sum = (some: readonly Promised[]) => some.reduce((total, { holds }) => total + holds, 0n)
        const standingOnes = each.filter(({ id }) => stands.has(id))
        const paid = sum(each.filter(({ claim }) => claim === 'paid'))
        const others = sum(standingOnes.filter(({ claim }) => claim !== 'paid'))
        expect(others === 0n || others + paid <= owned).toBe(true)
      }),
    )
  })
})
