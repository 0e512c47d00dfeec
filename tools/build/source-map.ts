/** A text put into a line of generated code; columns and lengths count UTF-16 units, as source maps do. */
export interface Insertion {
  readonly line: number
  readonly column: number
  readonly length: number
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Reads the first base64 VLQ number of a text: its value and how many characters it takes. */
function readNumber(text: string): { value: number; size: number } {
  let bits = 0
  let size = 0
  for (;;) {
    const digit = DIGITS.indexOf(text.charAt(size))
    if (digit < 0 || text.charAt(size) === '') throw new Error(`not a source map segment: ${text}`)
    bits |= (digit & 31) << (5 * size)
    size += 1
    if ((digit & 32) === 0) break
  }
  return { value: bits & 1 ? -(bits >>> 1) : bits >>> 1, size }
}

function writeNumber(value: number): string {
  let bits = value < 0 ? (-value << 1) | 1 : value << 1
  let text = ''
  do {
    const digit = bits & 31
    bits >>>= 5
    text += DIGITS.charAt(bits > 0 ? digit | 32 : digit)
  } while (bits > 0)
  return text
}

function shiftLine(segments: string, insertions: readonly Insertion[]): string {
  const waiting = [...insertions].sort((a, b) => a.column - b.column)
  let column = 0
  return segments
    .split(',')
    .map((segment) => {
      const { value, size } = readNumber(segment)
      column += value
      let shift = 0
      while (waiting[0] !== undefined && waiting[0].column <= column) {
        shift += waiting[0].length
        waiting.shift()
      }
      // Columns are written as distances from the segment before, so moving one moves all that follow it.
      return shift === 0 ? segment : writeNumber(value + shift) + segment.slice(size)
    })
    .join(',')
}

/** The `mappings` of a source map after texts without line breaks were put into the generated code. */
export function shiftMappings(mappings: string, insertions: readonly Insertion[]): string {
  return mappings
    .split(';')
    .map((segments, line) => {
      const here = insertions.filter((insertion) => insertion.line === line)
      return here.length === 0 || segments === '' ? segments : shiftLine(segments, here)
    })
    .join(';')
}
