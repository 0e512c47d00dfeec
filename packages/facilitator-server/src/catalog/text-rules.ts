/**
 * C0 controls except tab, line feed and carriage return; C1 controls; and the characters that reorder the
 * text around them.
 */
const FORBIDDEN_CHARACTERS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused.
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/
const PRINTABLE_ASCII = /^[\x20-\x7e]+$/

/** Returns why a text cannot be stored or shown, or undefined. */
export function findTextProblem(text: string, maxCharacters: number): string | undefined {
  if (text.length > maxCharacters) return `must be at most ${maxCharacters} characters`
  // PostgreSQL stores neither a lone surrogate nor U+0000.
  if (!text.isWellFormed()) return 'must be well-formed Unicode'
  return FORBIDDEN_CHARACTERS.test(text) ? 'must not contain control characters' : undefined
}

/** Whether a text consists of 1 to `maxCharacters` printable ASCII characters. */
export function isPrintableAscii(value: unknown, maxCharacters: number): value is string {
  return typeof value === 'string' && value.length <= maxCharacters && PRINTABLE_ASCII.test(value)
}

/** Shortens a caller's text for a message, without characters that could change a log. */
export const toShownText = (text: string): string =>
  text.slice(0, 64).replaceAll(/[^\x20-\x7e]/g, '?') + (text.length > 64 ? '…' : '')
