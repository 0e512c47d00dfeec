/** Random choices that are repeatable by a seed. */
export interface Random {
  /** From 0 (inclusive) to `below` (exclusive). */
  integer(below: number): number
  /** True with this probability, from 0 to 1. */
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  /** Random bytes as hexadecimal digits. */
  hex(bytes: number): string
}

/** Creates a generator by mulberry32, which is small and good enough for tests. */
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
    chance: (probability) => next() / 4294967296 < probability,
    pick(list) {
      const item = list[integer(list.length)]
      if (item === undefined) throw new RangeError('The list is empty')
      return item
    },
    hex: (bytes) => Array.from({ length: bytes }, () => integer(256).toString(16).padStart(2, '0')).join(''),
  }
}
