import type { AnyMintmarkError } from '@mintmark/envelope'

/** What happened, and what to do about it. */
export interface Sentence {
  readonly title: string
  readonly advice: string
}

/** The errors of the client packages, by their kind. */
export const errorTexts: Readonly<Record<AnyMintmarkError['kind'], Sentence>> = {
  InvalidInput: { title: 'Some values are not valid', advice: 'Correct the marked fields and try again.' },
  Unauthorized: {
    title: 'This was not done, because your session had ended',
    advice: 'Try again as soon as you are signed in.',
  },
  Forbidden: {
    title: 'You are not allowed to do this',
    advice: 'Ask an owner of the project to do it, or to change your role.',
  },
  NotFound: {
    title: 'This does not exist',
    advice: 'It may have been removed, or it belongs to another project.',
  },
  Conflict: {
    title: 'This was changed or exists already',
    advice: 'Reload the page to see the current state, then try again.',
  },
  InsufficientBalance: {
    title: 'The balance does not cover this',
    advice: 'Deposit more, or raise the quota of the payer.',
  },
  RateLimited: { title: 'Too many requests', advice: 'Wait a moment, then try again.' },
  Refused: { title: 'The server refused this', advice: 'Check the current state and try again.' },
  Server: {
    title: 'The server failed',
    advice: 'Try again. If it fails again, send the request id to an operator.',
  },
  Timeout: { title: 'The server did not respond in time', advice: 'Check your connection and try again.' },
  Network: { title: 'The server cannot be reached', advice: 'Check your connection and try again.' },
  UnknownOutcome: {
    title: 'It is not known whether this was done',
    advice: 'Check the current state before you repeat it. Trying again here does not do it twice.',
  },
  UnexpectedResponse: {
    title: 'The response of the server is not what the console expects',
    advice: 'Reload the page: the server may have been updated.',
  },
}

/** Rules that refuse a call, by the word in `error.reason`. */
export const reasonTexts: Readonly<Record<string, Sentence>> = {
  FacilitatorUnreachable: {
    title: 'The facilitator cannot be reached',
    advice: 'Nothing was changed. Check that it runs, and the setting FACILITATOR_URL of this server.',
  },
  FacilitatorNoResponse: {
    title: 'The facilitator did not respond in time',
    advice:
      'A change may have been made: look at the current state first. Trying again here does not do it twice.',
  },
  FacilitatorRefused: {
    title: 'The facilitator refuses this server',
    advice: 'Set FACILITATOR_OPERATOR_TOKEN of this server to the OPERATOR_TOKEN of the facilitator.',
  },
  FacilitatorMismatch: {
    title: 'FACILITATOR_URL leads to no operator interface',
    advice:
      'Set OPERATOR_TOKEN of the facilitator, and check its version and the setting FACILITATOR_URL of this server.',
  },
  payer_has_account: {
    title: 'This wallet has an account already',
    advice: 'Search the accounts for the wallet.',
  },
  balance_too_large: { title: 'The balance would be too large', advice: 'Credit a smaller amount.' },
  decision_refused: {
    title: 'This decision is not possible',
    advice: 'Something has changed since you opened the page. Reload it, and decide again.',
  },
  chain_decides: {
    title: 'The chain can be read, so it decides',
    advice: 'Wait until the facilitator has read the outcome. Decide yourself only if that can never happen.',
  },
  settlement_not_unknown: {
    title: 'The outcome of this settlement is not unknown any more',
    advice: 'The facilitator or another operator was faster. Reload the page to see it.',
  },
  CHAIN_UNREADABLE: {
    title: 'The chain cannot be read at present',
    advice: 'Nothing was stored. Try again in a minute.',
  },
  EVENTS_EXPIRED: {
    title: 'These events were deleted because of their age',
    advice: 'Start from the oldest stored event.',
  },
  DECISION_REFUSED: {
    title: 'This decision is not possible',
    advice: 'Something has changed since you opened the page. Reload it, and decide again.',
  },
  HAS_OWNER: {
    title: 'This project has an owner already',
    advice: 'An owner invites everybody else on the page People.',
  },
  REPORT_TOO_LARGE: {
    title: 'This report has more than 1,000 rows',
    advice: 'Choose a shorter period, or months instead of days.',
  },
  LAST_OPERATOR: {
    title: 'This person is the last operator of the server',
    advice: 'Add another operator first.',
  },
  LAST_OWNER: {
    title: 'This person is the last owner of the project',
    advice: 'Make another person an owner first.',
  },
  ALREADY_MEMBER: {
    title: 'This person is in the project already',
    advice: 'Change the role of the person in the list.',
  },
  SCOPE_NOT_HELD: {
    title: 'You cannot give a key more rights than you have',
    advice: 'Remove some scopes, or ask an owner to create the key.',
  },
  TOO_MANY_PEOPLE: {
    title: 'The project has reached its limit of people and open invitations',
    advice: 'Remove people, or revoke invitations that nobody accepts.',
  },
  TOO_MANY_KEYS: {
    title: 'The project has reached its limit of active keys',
    advice: 'Revoke keys that are no longer used.',
  },
  TOO_MANY_EVENT_WEBHOOKS: {
    title: 'The project has reached its limit of webhooks',
    advice: 'Remove a webhook that is no longer used.',
  },
  MEDIA_FULL: {
    title: 'The project stores as many pictures as it may',
    advice: 'Remove pictures from records that need none. A day later there is room again.',
  },
  TOTAL_BELOW_USED: {
    title: 'The card was used more often than this total allows',
    advice: 'Enter a total that is at least the number of uses.',
  },
  NONCE_REUSED: {
    title: 'This device has already used this scan for another card',
    advice: 'Scan the card again.',
  },
  NOT_ENOUGH_OWNED: {
    title: 'The seller does not own enough tokens',
    advice: 'Lower the quantity, or close other listings of the token.',
  },
  LISTING_CLOSED: {
    title: 'The listing is no longer open',
    advice: 'It is sold or was closed. Create a new listing.',
  },
  COUPON_CODE_TAKEN: {
    title: 'Another coupon of the project has this code',
    advice: 'Choose another code.',
  },
  AUCTION_CLOSED: {
    title: 'The auction is not open',
    advice: 'It has not started, has ended, or was cancelled.',
  },
  AUCTION_HAS_BIDS: {
    title: 'The auction has bids',
    advice: 'An auction with bids cannot be cancelled. Wait for its end.',
  },
  OFFER_CLOSED: {
    title: 'The offer is no longer open',
    advice: 'It was accepted, rejected or cancelled, or has expired.',
  },
  OFFER_FOR_OTHERS: {
    title: 'The offer is for other owners too',
    advice: 'They can still accept it, so it stays open.',
  },
  OFFER_NOT_YOURS: {
    title: 'The offer does not belong to this wallet',
    advice: 'Use the wallet that made the offer, or that owns the token.',
  },
  ORDER_NOT_DECLINABLE: {
    title: 'This payment cannot be given back here',
    advice:
      'The order is still being checked, it was delivered, or its payment counts for another order. Reload the page, or ask an operator.',
  },
  REFUND_NOT_FINAL: {
    title: 'The chain has not confirmed the transaction yet',
    advice: 'Wait a minute and press again. If it takes long, check the hash.',
  },
  REFUND_MISMATCH: {
    title: 'This transaction did not pay the buyer back',
    advice:
      'It must move the token of the order from the wallet of the seller to the wallet of the buyer, after the order was placed. Check the hash.',
  },
  PAYMENT_HASH_TAKEN: {
    title: 'The transaction counts for another order',
    advice: 'One transaction counts for one order. Check the hash.',
  },
  TOO_MANY_PAYMENTS: {
    title: 'This order has too many transactions',
    advice: 'At most 20 transactions are recorded for an order.',
  },
  ORDER_NOT_CANCELLABLE: {
    title: 'This order can no longer be cancelled',
    advice: 'Only an order that waits for its payment can be cancelled.',
  },
}

/** Errors of the sign-in, by the code of the authentication library. */
export const authErrorTexts: Readonly<Record<string, Sentence>> = {
  INVALID_EMAIL_OR_PASSWORD: {
    title: 'The email address or the password is wrong',
    advice: 'Check both and try again.',
  },
  INVALID_EMAIL: { title: 'This is not an email address', advice: 'Check the address and try again.' },
  INVALID_PASSWORD: { title: 'The password is wrong', advice: 'Enter your current password.' },
  PASSWORD_TOO_SHORT: { title: 'The password is too short', advice: 'Use at least 12 characters.' },
  PASSWORD_TOO_LONG: { title: 'The password is too long', advice: 'Use at most 256 characters.' },
  INVALID_TOKEN: {
    title: 'This link does not work any more',
    advice: 'It works once, for an hour. Request a new one on the sign-in page.',
  },
  INVALID_CODE: { title: 'The code is wrong', advice: 'Enter the newest code of your app.' },
  INVALID_BACKUP_CODE: {
    title: 'The backup code is wrong or was used',
    advice: 'Each backup code works once. Enter another one.',
  },
  INVALID_TWO_FACTOR_COOKIE: { title: 'The sign-in took too long', advice: 'Enter your password again.' },
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: {
    title: 'Too many wrong codes',
    advice: 'Enter your password again.',
  },
  ACCOUNT_TEMPORARILY_LOCKED: {
    title: 'Too many wrong codes',
    advice: 'Your account is locked for a while. Try again later.',
  },
  SESSION_NOT_FRESH: {
    title: 'You signed in too long ago for this change',
    advice: 'Sign out, sign in again, and repeat it.',
  },
  PASSKEY_NOT_FOUND: {
    title: 'This passkey is not known here',
    advice: 'It may have been removed. Sign in with your password.',
  },
  PREVIOUSLY_REGISTERED: {
    title: 'This device has a passkey already',
    advice: 'Use it to sign in, or remove it from the list first.',
  },
  PASSKEY_CANCELLED: {
    title: 'No passkey was used',
    advice: 'The request was closed or took too long. Try again.',
  },
  PASSKEY_UNSUPPORTED: {
    title: 'This browser does not support passkeys',
    advice: 'Sign in with your password, or update the browser.',
  },
}

export const errorNoticeTexts = {
  unknown: {
    title: 'Something went wrong',
    advice: 'Reload the page. If it happens again, tell an operator what you did.',
  },
  offline: { title: 'You are offline', advice: 'The console continues when the connection is back.' },
  /** For a person with a role that may not do something. */
  forbiddenForRole: (role: string) => ({
    title: 'You are not allowed to do this',
    advice: `Your role is ${role}. Ask an owner of the project to do it, or to change your role.`,
  }),
  retryAfter: (seconds: number) => `Try again in ${seconds} seconds.`,
  retry: 'Try again',
}
