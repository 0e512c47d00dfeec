import { UsageError } from './errors.ts'

/**
 * Decodes the content of a file that a person named, without its byte order mark. Throws a UsageError for
 * another encoding than UTF-8: letters such as é would be replaced, and stored like that.
 */
export function decodeText(content: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    throw new UsageError(`${file} is not UTF-8. Save it as UTF-8`)
  }
}
