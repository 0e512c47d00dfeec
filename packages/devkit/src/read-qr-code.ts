/**
 * Reads the text of a QR code that is drawn as SVG lines (ISO/IEC 18004). Supports the versions 1 to 6 with
 * error correction level M. A drawn code has no errors, so none are corrected.
 */
export function readQrCode(svg: string): string {
  const { dark, size } = readModules(svg)
  const version = (size - 17) / 4
  const readModule = (x: number, y: number) => (dark.has(`${x},${y}`) ? 1 : 0)
  const mask = readMask(readModule)
  const bits = listDataPositions(size).map(([x, y]) => readModule(x, y) ^ (mask(x, y) ? 1 : 0))
  return decodeSegments(deinterleave(bits, version))
}

/** Reads the dark modules, without the quiet zone around them. */
function readModules(svg: string): { dark: Set<string>; size: number } {
  const [, width = ''] = /viewBox="0 0 (\d+) \d+"/.exec(svg) ?? []
  const [, path = ''] = /stroke="#000000" d="([^"]*)"/.exec(svg) ?? []
  const quietZone = 4
  const dark = new Set<string>()
  let [x, y] = [0, 0]
  for (const [, command, first, second] of path.matchAll(/([Mmh])(-?[\d.]+)(?: (-?[\d.]+))?/g)) {
    if (command === 'M') [x, y] = [Number(first), Math.floor(Number(second))]
    else if (command === 'm') x += Number(first)
    else for (const end = x + Number(first); x < end; x++) dark.add(`${x - quietZone},${y - quietZone}`)
  }
  return { dark, size: Number(width) - 2 * quietZone }
}

/**
 * Reads which mask pattern the code uses, from the format information beside the upper left finder pattern.
 */
function readMask(readModule: (x: number, y: number) => number): (x: number, y: number) => boolean {
  const [first, second, third] = [0, 1, 2, 3, 4].map((x) => readModule(x, 8)).slice(2)
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
  if (mask === undefined) throw new Error('The format information has no mask pattern')
  return mask
}

/**
 * Lists the positions of the data bits in order: columns of two from the right, alternately up and down,
 * without the function patterns.
 */
function listDataPositions(size: number): [x: number, y: number][] {
  const isFunctionPattern = (x: number, y: number) =>
    x === 6 ||
    y === 6 ||
    (x < 9 && (y < 9 || y >= size - 8)) ||
    (x >= size - 8 && y < 9) ||
    // The alignment pattern of the versions 2 to 6.
    (size > 21 && x >= size - 9 && x < size - 4 && y >= size - 9 && y < size - 4)
  const positions: [number, number][] = []
  let up = true
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5
    for (let step = 0; step < size; step++) {
      const y = up ? size - 1 - step : step
      for (const x of [right, right - 1]) if (!isFunctionPattern(x, y)) positions.push([x, y])
    }
    up = !up
  }
  return positions
}

/** The number of data blocks and the bytes of each, by version (error correction level M). */
const BLOCKS: readonly (readonly [blocks: number, bytes: number])[] = [
  [1, 16],
  [1, 28],
  [1, 44],
  [2, 32],
  [2, 43],
  [4, 27],
]

/**
 * Returns the data bits block by block. The code interleaves the bytes of its blocks: first bytes, second
 * bytes, and so on.
 */
function deinterleave(bits: readonly number[], version: number): number[] {
  const known = BLOCKS[version - 1]
  if (known === undefined) throw new Error(`QR codes of version ${version} are not supported`)
  const [blocks, bytes] = known
  const order = Array.from({ length: blocks }, (_, block) =>
    Array.from({ length: bytes }, (_, at) => at * blocks + block),
  )
  return order.flat().flatMap((at) => bits.slice(8 * at, 8 * at + 8))
}

const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:'

/** Decodes segments in byte, numeric and alphanumeric mode. */
function decodeSegments(bits: readonly number[]): string {
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
        add(`${ALPHANUMERIC[Math.floor(pair / 45)]}${ALPHANUMERIC[pair % 45]}`)
      }
      if (left === 1) add(ALPHANUMERIC[take(6)] ?? '')
    } else if (mode === 0b0001) {
      let left = take(10)
      for (; left >= 3; left -= 3) add(String(take(10)).padStart(3, '0'))
      if (left > 0) add(String(take(left === 2 ? 7 : 4)).padStart(left, '0'))
    } else if (mode === 0) {
      return new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array(bytes))
    } else {
      throw new Error(`Segments of mode ${mode} are not supported`)
    }
  }
}
