/** Choices that a seed repeats. */
export interface Random {
  /** From 0 up to, and without, `below`. */
  integer(below: number): number
  /** Whether something happens that happens so often, from 0 to 1. */
  chance(often: number): boolean
  pick<T>(list: readonly T[]): T
  /** `count` random bytes, in hexadecimal digits. */
  hex(bytes: number): string
}

/** mulberry32: small, and good enough to choose where a process dies. */
export function randomFrom(seed: number): Random {
  let state = seed | 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const integer = (below: number) => Math.floor((next() / 4294967296) * below)
  return {
    integer,
    chance: (often) => next() / 4294967296 < often,
    pick(list) {
      const chosen = list[integer(list.length)]
      if (chosen === undefined) throw new RangeError('there is nothing to choose from')
      return chosen
    },
    hex: (bytes) => Array.from({ length: bytes }, () => integer(256).toString(16).padStart(2, '0')).join(''),
  }
}
