import { parseTime, type TextFormat, TIME_FORMAT } from '@mintmark/server-kit'
import { findAddressProblem } from './address-rules.ts'
import { findOriginProblem } from './origins.ts'

const lowerCase = (text: string) => text.toLowerCase()

/** A format whose texts match a regular expression without anchors. */
function matching(pattern: string, description: string, normalize?: (text: string) => string): TextFormat {
  const whole = new RegExp(`^${pattern}$`)
  return {
    description,
    pattern,
    findProblem: (text) => (whole.test(text) ? undefined : `Expected ${description}`),
    ...(normalize !== undefined && { normalize }),
  }
}

/** An EVM address, with a correct checksum if its digits are in mixed case. Stored in lower case. */
export const ADDRESS_FORMAT: TextFormat = {
  description: 'an address: 0x and 40 hexadecimal digits',
  pattern: '0x[0-9a-fA-F]{40}',
  findProblem: findAddressProblem,
  normalize: lowerCase,
}

/** A transaction hash, or the root of a Merkle tree. Stored in lower case. */
export const HASH_FORMAT = matching('0x[0-9a-fA-F]{64}', '0x and 64 hexadecimal digits', lowerCase)

export const CHAIN_ID_FORMAT = matching('[1-9][0-9]{0,17}', "a chain's id: decimal digits")

/** The code of a new coupon. Stored in upper case. */
export const NEW_COUPON_CODE_FORMAT = matching('[A-Za-z0-9-]{4,64}', '4 to 64 of A-Z, 0-9 and -', (text) =>
  text.toUpperCase(),
)

/** The code of a coupon that is looked up: a text that cannot be a code finds none. */
export const COUPON_CODE_FORMAT: TextFormat = {
  description: 'a coupon code; case does not matter',
  findProblem: () => undefined,
  normalize: (text) => text.toUpperCase(),
}

/** A color as browsers write it. Stored in lower case. */
export const COLOR_FORMAT = matching('#[0-9a-fA-F]{6}', 'a color such as #7a1f3d', lowerCase)

export const POSITIVE_AMOUNT_FORMAT = matching('[1-9][0-9]{0,77}', 'an amount above 0')

/** The origin of a page, as browsers write it in the header Origin. */
export const ORIGIN_FORMAT: TextFormat = {
  description: 'an origin as browsers write it, such as https://shop.example',
  findProblem: (text) => {
    const problem = findOriginProblem(text)
    return problem && problem.charAt(0).toUpperCase() + problem.slice(1)
  },
}

/** Control and format characters, halves of surrogate pairs, and separators of lines. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u

/**
 * An email address in ASCII, of the form that the sign-in accepts. Stored in lower case. Whether somebody
 * receives mail there is not checked.
 */
export const EMAIL_FORMAT = matching(
  "(?:[A-Za-z0-9_'+\\-]+[.])*[A-Za-z0-9_'+\\-]*[A-Za-z0-9_+\\-]@(?:[A-Za-z0-9][A-Za-z0-9\\-]*[.])+[A-Za-z]{2,}",
  'an email address',
  lowerCase,
)

/** The caller's own name of what it creates. */
export const REFERENCE_FORMAT: TextFormat = {
  description: 'printable characters',
  findProblem: (text) => (UNPRINTABLE.test(text) ? 'Expected printable characters' : undefined),
}

export const FUTURE_TIME_FORMAT: TextFormat = {
  description: 'a time in the future',
  findProblem: (text, now = Date.now()) =>
    TIME_FORMAT.findProblem(text) ??
    (parseTime(text).getTime() > now ? undefined : 'Expected a time in the future'),
}
