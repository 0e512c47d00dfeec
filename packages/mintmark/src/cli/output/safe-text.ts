/**
 * Characters that change what a terminal shows: control characters, and marks that reverse the direction of
 * text. Names come from other people.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to replace.
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/**
 * Replaces characters that could move a terminal's cursor, change its colors or hide text. Line feeds and
 * tabs stay.
 */
export function toSafeText(text: string): string {
  return text.replace(UNSAFE, escapeCharacter)
}

/** Like {@link toSafeText}, on one line. */
export function toSafeLine(text: string): string {
  return toSafeText(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t')
}

/**
 * Writes a value as JSON on one line. Characters that a terminal would interpret are escaped, so that the
 * value stays the same.
 */
export function toJsonLine(value: unknown): string {
  // JSON.stringify has escaped the control characters below a space, and a string is the only place for the
  // others.
  return toSafeText(JSON.stringify(value ?? null))
}
