/**
 * Reads the text of a QR code drawn as SVG squares, as a scanner would (ISO/IEC 18004), for codes of the sizes 1 to 3 in byte mode, whose
 * data stands in one block; nothing is corrected, since nothing is blurred.
 */
export function readQrCode(svg: string): string {
  const [, width = '', step = ''] = /viewBox="0 0 (\d+) \d+".*?h(\d+)v/s.exec(svg) ?? []
  const border = 4
  const size = Number(width) / Number(step) - 2 * border
  const dark = new Set<string>()
  for (const [, x, y] of svg.matchAll(/M(\d+),(\d+)h/g)) {
    dark.add(`${Number(x) / Number(step) - border},${Number(y) / Number(step) - border}`)
  }
  const bitAt = (x: number, y: number) => (dark.has(`${x},${y}`) ? 1 : 0)
  const mask = maskOf(bitAt)
  const bits = placesOf(size).map(([x, y]) => bitAt(x, y) ^ (mask(x, y) ? 1 : 0))
  const number = (from: number, length: number) =>
    bits.slice(from, from + length).reduce((value, bit) => value * 2 + bit, 0)
  const byteMode = 0b0100
  if (number(0, 4) !== byteMode) throw new Error('the code is not in byte mode')
  const bytes = Array.from({ length: number(4, 8) }, (_, at) => number(12 + 8 * at, 8))
  return new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array(bytes))
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

/** Where the data's bits stand, in their order: up and down in columns of two, from the right, past the patterns. */
function placesOf(size: number): [x: number, y: number][] {
  const isPattern = (x: number, y: number) =>
    x === 6 ||
    y === 6 ||
    (x < 9 && (y < 9 || y >= size - 8)) ||
    (x >= size - 8 && y < 9) ||
    // The one alignment pattern of the sizes 2 and 3.
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
