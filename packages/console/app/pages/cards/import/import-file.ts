import type { CsvRecord } from './csv-record.ts'

/** A CSV file that was read. */
export interface ImportFile {
  readonly name: string
  /** The SHA-256 of its bytes, in hexadecimal digits. */
  readonly digest: string
  readonly header: readonly string[]
  readonly records: readonly CsvRecord[]
}

/** The most bytes of a file. Larger ones are for the command line. */
export const MAX_FILE_BYTES = 20_000_000
/** The most rows of a file. */
export const MAX_ROWS = 50_000

/** Reads a file. The result has no header if the file is empty. Throws a `CsvFormatError`. */
export async function readImportFile(file: File): Promise<ImportFile> {
  const bytes = await file.arrayBuffer()
  const { parseCsv } = await import('./csv-parser.ts')
  const [header, ...records] = parseCsv(new TextDecoder().decode(bytes))
  return { name: file.name, digest: await digest(bytes), header: header?.cells ?? [], records }
}

/** Returns the SHA-256 of bytes or of a text, in hexadecimal digits. */
export async function digest(content: ArrayBuffer | string): Promise<string> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
