import { t } from '../../language/translate.ts'

/** A wallet for a whitelist, with its limit if one is given. */
export interface WhitelistLine {
  readonly address: string
  readonly limit?: string
}

/** A line that cannot be added. */
export interface LineProblem {
  /** From 1. */
  readonly line: number
  readonly text: string
  readonly reason: string
}

/**
 * Reads pasted addresses or a CSV file: an address in each line, and a limit after a comma, a semicolon, a
 * tab or spaces. Empty lines and a header in the first line are skipped.
 */
export function parseWhitelist(text: string): {
  readonly entries: readonly WhitelistLine[]
  readonly problems: readonly LineProblem[]
} {
  const entries: WhitelistLine[] = []
  const problems: LineProblem[] = []
  const lineByAddress = new Map<string, number>()
  // A file of a spreadsheet may begin with a byte order mark.
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)
  for (const [index, raw] of lines.entries()) {
    const line = index + 1
    const trimmed = raw.trim()
    if (trimmed === '' || (line === 1 && isHeader(trimmed))) continue
    const result = parseLine(trimmed)
    const first = typeof result === 'string' ? undefined : lineByAddress.get(result.address)
    if (typeof result === 'string') problems.push({ line, text: trimmed, reason: result })
    else if (first !== undefined)
      problems.push({ line, text: trimmed, reason: t('the same wallet as in line {first}', { first }) })
    else {
      lineByAddress.set(result.address, line)
      entries.push(result)
    }
  }
  return { entries, problems }
}

/** Whether a first line names columns, as in `address,limit`. */
function isHeader(line: string): boolean {
  return /^"?(address|wallet)"?\s*([,;\t]|$)/i.test(line)
}

/** Returns the wallet of a line, or why it cannot be added. */
function parseLine(line: string): WhitelistLine | string {
  const [address = '', limit = ''] = line.split(/\s*[,;\t]\s*|\s+/).map((cell) => cell.replace(/^"|"$/g, ''))
  if (!/^0x[0-9a-f]{40}$/i.test(address)) return t('not an address of 0x and 40 hexadecimal digits')
  if (/^0x0{40}$/.test(address)) return t('the zero address belongs to no wallet')
  if (limit === '') return { address: address.toLowerCase() }
  return /^\d{1,15}$/.test(limit)
    ? { address: address.toLowerCase(), limit }
    : t('the limit is not a whole number')
}
