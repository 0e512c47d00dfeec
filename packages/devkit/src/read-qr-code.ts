/**
 * Reads the text of a QR code drawn as SVG lines, as a scanner would (ISO/IEC 18004), for codes of the sizes 1 to 6 with error correction
 * M; nothing is corrected, since nothing is blurred.
 */
export function readQrCode(svg: string): string {
  const { dark, size } = squaresOf(svg)
  const version = (size - 17) / 4
  const bitAt = (x: number, y: number) => (dark.has(`${x},${y}`) ? 1 : 0)
  const mask = maskOf(bitAt)
  const bits = placesOf(size).map(([x, y]) => bitAt(x, y) ^ (mask(x, y) ? 1 : 0))
  return textOf(inOrder(bits, version))
}

/** The dark squares, without the border around them. */
function squaresOf(svg: string): { dark: Set<string>; size: number } {
  const [, width = ''] = /viewBox="0 0 (\d+) \d+"/.exec(svg) ?? []
  const [, path = ''] = /stroke="#000000" d="([^"]*)"/.exec(svg) ?? []
  const border = 4
  const dark = new Set<string>()
  let [x, y] = [0, 0]
  for (const [, command, first, second] of path.matchAll(/([Mmh])(-?[\d.]+)(?: (-?[\d.]+))?/g)) {
    if (command === 'M') [x, y] = [Number(first), Math.floor(Number(second))]
    else if (command === 'm') x += Number(first)
    else for (const end = x + Number(first); x < end; x++) dark.add(`${x - border},${y - border}`)
  }
  return { dark, size: Number(width) - 2 * border }
}

/** The mask that the format information beside the upper left finder names. */
function maskOf(bitAt: (x: number, y: number) => number): (x: number, y: number) => boolean {
  const [first, second, third] = [0, 1, 2, 3, 4].map((x) => bitAt(x, 8)).slice(2)
  const number = (((first ?? 0) << 2) | ((second ?? 0) << 1) | (third ?? 0)) ^ 0b101
  const masks: ((x: number, y: number) => boolean)[] = [
    (x, y) => (x + y) % 2 === 0,
    (_, y) => y % 2 === 0,
    (x) => x % 3 === 0,
    (x, y) => (x + y) % 3 === 0,
    (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
    (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
    (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
    (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
  ]
  const mask = masks[number]
  if (mask === undefined) throw new Error('the code names no mask')
  return mask
}

/** The positions of the data's bits, in their order: up and down in columns of two, from the right, past the patterns. */
function placesOf(size: number): [x: number, y: number][] {
  const isPattern = (x: number, y: number) =>
    x === 6 ||
    y === 6 ||
    (x < 9 && (y < 9 || y >= size - 8)) ||
    (x >= size - 8 && y < 9) ||
    // The one alignment pattern of the sizes 2 to 6.
    (size > 21 && x >= size - 9 && x < size - 4 && y >= size - 9 && y < size - 4)
  const places: [number, number][] = []
  let up = true
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5
    for (let step = 0; step < size; step++) {
      const y = up ? size - 1 - step : step
      for (const x of [right, right - 1]) if (!isPattern(x, y)) places.push([x, y])
    }
    up = !up
  }
  return places
}

/** The number of data blocks and the bytes of each, by the size of the code (correction M). */
const BLOCKS: readonly (readonly [blocks: number, bytes: number])[] = [
  [1, 16],
  [1, 28],
  [1, 44],
  [2, 32],
  [2, 43],
  [4, 27],
]

/** The data's bits, block after block: the code holds the first bytes of all blocks, then the second ones, and so on. */
function inOrder(bits: readonly number[], version: number): number[] {
  const known = BLOCKS[version - 1]
  if (known === undefined) throw new Error(`codes of size ${version} are not read`)
  const [blocks, bytes] = known
  const order = Array.from({ length: blocks }, (_, block) =>
    Array.from({ length: bytes }, (_, at) => at * blocks + block),
  )
  return order.flat().flatMap((at) => bits.slice(8 * at, 8 * at + 8))
}

const SIGNS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:'

/** The text of segments of bytes, of digits, and of digits, capitals and some signs. */
function textOf(bits: readonly number[]): string {
  let at = 0
  const take = (length: number) => {
    at += length
    return bits.slice(at - length, at).reduce((value, bit) => value * 2 + bit, 0)
  }
  const bytes: number[] = []
  const add = (text: string) => bytes.push(...new TextEncoder().encode(text))
  for (;;) {
    const mode = at + 4 > bits.length ? 0 : take(4)
    if (mode === 0b0100) {
      for (let left = take(8); left > 0; left--) bytes.push(take(8))
    } else if (mode === 0b0010) {
      let left = take(9)
      for (; left > 1; left -= 2) {
        const pair = take(11)
        add(`${SIGNS[Math.floor(pair / 45)]}${SIGNS[pair % 45]}`)
      }
      if (left === 1) add(SIGNS[take(6)] ?? '')
    } else if (mode === 0b0001) {
      let left = take(10)
      for (; left >= 3; left -= 3) add(String(take(10)).padStart(3, '0'))
      if (left > 0) add(String(take(left === 2 ? 7 : 4)).padStart(left, '0'))
    } else if (mode === 0) {
      return new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array(bytes))
    } else {
      throw new Error(`segments of mode ${mode} are not read`)
    }
  }
}
