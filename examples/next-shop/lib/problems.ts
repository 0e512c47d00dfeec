import { isMintmarkError } from '@mintmark/envelope'

/** What buyers read, by the rule that refused. */
const REASONS: Readonly<Record<string, string>> = {
  OUT_OF_STOCK: 'There are not that many left.',
  LISTING_NOT_OPEN: 'This collectible is no longer for sale.',
  LISTING_RESERVED: 'This collectible is reserved for another wallet.',
  TOO_MANY_OPEN_ORDERS: 'This wallet has too many unpaid orders. Pay one, or wait until they expire.',
  ORDER_NOT_PAYABLE: 'This order can no longer be paid.',
  PAYMENT_HASH_TAKEN: 'This transaction pays another order.',
  PAYMENT_MINED: 'Your payment was received. Do not pay a second time.',
}

/** What buyers read, by the kind of the error. */
const KINDS: Readonly<Record<string, string>> = {
  InvalidInput: 'Please check what you entered.',
  NotFound: 'This collectible is no longer for sale.',
  Conflict: 'Your order is being placed. Please press the button again: you do not order twice.',
  RateLimited: 'Too many people are ordering. Please try again in a minute.',
  Network: 'The shop is not available. Please try again.',
  Timeout: 'The shop is not available. Please try again.',
  Server: 'The shop is not available. Please try again.',
  UnknownOutcome: 'The shop got no answer. Please press the button again: you do not order twice.',
}

/**
 * Returns what buyers read. Kinds do not survive the way to the browser, so errors become texts on the
 * server.
 */
export function describeProblem(error: unknown): string {
  if (!isMintmarkError(error)) throw error
  const text = REASONS[error.reason ?? ''] ?? KINDS[error.kind]
  // A mistake of the shop, such as a wrong key. The log has it; the buyer does not.
  if (text === undefined) throw error
  return text
}
