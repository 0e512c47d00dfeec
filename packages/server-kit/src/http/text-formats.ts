import type { TextFormat } from './field-formats.ts'

/**
 * Characters that override or isolate the direction of what follows, so that a text looks like another one.
 * The marks U+200E, U+200F and U+061C stay allowed: Arabic and Hebrew texts need them, and they reorder nothing
 * else.
 */
const DIRECTION = /[\u202A-\u202E\u2066-\u2069]/
const CONTROL = /[\p{Cc}\u2028\u2029]/u
/** Control characters except tabs and the ends of lines. */
const CONTROL_IN_LINES = /[^\P{Cc}\t\n\r]/u
/** A character that people see: no space, none that is ignored when a text is shown, and no mark by itself. */
const VISIBLE = /[^\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Mn}\p{Z}\u2800]/u

const NO_CONTROL = 'Expected no control characters'
const NO_DIRECTION =
  'Expected no characters that change the direction of text (U+202A to U+202E, U+2066 to U+2069)'

/** A text of one line that people recognize something by, such as a name. */
export const NAME_FORMAT: TextFormat = {
  description: 'a line with a visible character, without characters that change the direction of text',
  findProblem: (text) => {
    if (!VISIBLE.test(text)) return 'Expected at least one visible character'
    if (CONTROL.test(text)) return NO_CONTROL
    return DIRECTION.test(text) ? NO_DIRECTION : undefined
  },
}

/** A text that may have several lines. */
export const TEXT_FORMAT: TextFormat = {
  description:
    'no control characters but tabs and the ends of lines, and none that change the direction of text',
  findProblem: (text) => {
    if (CONTROL_IN_LINES.test(text)) return `${NO_CONTROL} but tabs and the ends of lines`
    return DIRECTION.test(text) ? NO_DIRECTION : undefined
  },
}

/**
 * Creates the format of an address that people open, or that a picture is loaded from. An address without a
 * scheme is accepted, because it is relative.
 *
 * @param schemes The schemes that are accepted, without the colon.
 */
export function createAddressFormat(schemes: readonly string[]): TextFormat {
  const description = `an address that begins with ${schemes.map((each) => `${each}:`).join(', ')} or has no scheme`
  return {
    description,
    findProblem: (text) => {
      if (CONTROL.test(text) || DIRECTION.test(text)) return NO_CONTROL
      // Browsers ignore spaces before an address.
      const scheme = /^([a-z][a-z\d+.-]*):/i.exec(text.trimStart())?.[1]?.toLowerCase()
      return scheme === undefined || schemes.includes(scheme) ? undefined : `Expected ${description}`
    },
  }
}
