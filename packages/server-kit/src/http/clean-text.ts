const MAX_CHARACTERS = 1_000
const CONTROL_CHARACTERS = /\p{Cc}/gu

/**
 * Cleans a text that another server, or a contract, has written: replaces control characters by spaces and
 * shortens it to about a thousand characters. PostgreSQL cannot store U+0000.
 */
export function cleanText(text: string): string {
  const isLong = text.length > MAX_CHARACTERS
  const shortened = isLong ? `${text.slice(0, MAX_CHARACTERS)}…` : text
  return shortened.replace(CONTROL_CHARACTERS, ' ')
}
