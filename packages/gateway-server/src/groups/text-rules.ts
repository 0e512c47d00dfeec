/** Of what a person or a thing is called; an index holds it. */
export const MAX_NAME_LENGTH = 200
/** Of any other text that a person writes, a message among them. */
export const MAX_TEXT_LENGTH = 4000
/** Of the caller's own words for things: a group, a token. */
export const MAX_KEY_LENGTH = 128

/** Refuses a text of more characters than are kept. A character is a code point: what `[...text]` takes apart. */
export function refuseLongText(
  field: string,
  text: string | undefined,
  most: number,
  invalid: (field: string, message: string) => never,
): void {
  // No text has more code points than code units, and counting those takes no time.
  if (text === undefined || text.length <= most) return
  if ([...text].length > most) invalid(field, `Expected at most ${most} characters`)
}

/** Refuses whatever is too long of a record's texts, its name by the shorter limit; what is no text is let be. */
export function refuseLongTexts(
  texts: Readonly<Record<string, unknown>>,
  invalid: (field: string, message: string) => never,
): void {
  for (const [field, text] of Object.entries(texts)) {
    if (typeof text !== 'string') continue
    refuseLongText(field, text, field === 'name' ? MAX_NAME_LENGTH : MAX_TEXT_LENGTH, invalid)
  }
}

/** The pattern of SQL's `ilike` for texts that contain a keyword, as it is written. */
export function containing(keyword: string): string {
  return `%${keyword.replace(/[\\%_]/g, '\\$&')}%`
}
