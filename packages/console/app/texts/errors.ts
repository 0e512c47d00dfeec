import type { AnyMintmarkError } from '@mintmark/envelope'
import { t } from '../language/translate.ts'

/** What happened, and what to do about it. */
export interface Sentence {
  readonly title: string
  readonly advice: string
}

/** The errors of the client packages, by their kind. */
export const errorTexts: Readonly<Record<AnyMintmarkError['kind'], Sentence>> = {
  InvalidInput: {
    title: t('Some values are not valid'),
    advice: t('Correct the marked fields and try again.'),
  },
  Unauthorized: {
    title: t('This was not done, because your session had ended'),
    advice: t('Try again as soon as you are signed in.'),
  },
  Forbidden: {
    title: t('You are not allowed to do this'),
    advice: t('Ask an owner of the project to do it, or to change your role.'),
  },
  NotFound: {
    title: t('This does not exist'),
    advice: t('It may have been removed, or it belongs to another project.'),
  },
  Conflict: {
    title: t('This was changed or exists already'),
    advice: t('Reload the page to see the current state, then try again.'),
  },
  InsufficientBalance: {
    title: t('The balance does not cover this'),
    advice: t('Deposit more, or raise the quota of the payer.'),
  },
  RateLimited: { title: t('Too many requests'), advice: t('Wait a moment, then try again.') },
  Refused: { title: t('The server refused this'), advice: t('Check the current state and try again.') },
  Server: {
    title: t('The server failed'),
    advice: t('Try again. If it fails again, send the request id to an operator.'),
  },
  Timeout: {
    title: t('The server did not respond in time'),
    advice: t('Check your connection and try again.'),
  },
  Network: { title: t('The server cannot be reached'), advice: t('Check your connection and try again.') },
  UnknownOutcome: {
    title: t('It is not known whether this was done'),
    advice: t('Check the current state before you repeat it. Trying again here does not do it twice.'),
  },
  UnexpectedResponse: {
    title: t('The response of the server is not what the console expects'),
    advice: t('Reload the page: the server may have been updated.'),
  },
}

/** Rules that refuse a call, by the word in `error.reason`. */
export const reasonTexts: Readonly<Record<string, Sentence>> = {
  FacilitatorUnreachable: {
    title: t('The facilitator cannot be reached'),
    advice: t('Nothing was changed. Check that it runs, and the setting FACILITATOR_URL of this server.'),
  },
  FacilitatorNoResponse: {
    title: t('The facilitator did not respond in time'),
    advice: t(
      'A change may have been made: look at the current state first. Trying again here does not do it twice.',
    ),
  },
  FacilitatorRefused: {
    title: t('The facilitator refuses this server'),
    advice: t('Set FACILITATOR_OPERATOR_TOKEN of this server to the OPERATOR_TOKEN of the facilitator.'),
  },
  FacilitatorMismatch: {
    title: t('FACILITATOR_URL leads to no operator interface'),
    advice: t(
      'Set OPERATOR_TOKEN of the facilitator, and check its version and the setting FACILITATOR_URL of this server.',
    ),
  },
  payer_has_account: {
    title: t('This wallet has an account already'),
    advice: t('Search the accounts for the wallet.'),
  },
  balance_too_large: { title: t('The balance would be too large'), advice: t('Credit a smaller amount.') },
  decision_refused: {
    title: t('This decision is not possible'),
    advice: t('Something has changed since you opened the page. Reload it, and decide again.'),
  },
  chain_decides: {
    title: t('The chain can be read, so it decides'),
    advice: t(
      'Wait until the facilitator has read the outcome. Decide yourself only if that can never happen.',
    ),
  },
  settlement_not_unknown: {
    title: t('The outcome of this settlement is not unknown any more'),
    advice: t('The facilitator or another operator was faster. Reload the page to see it.'),
  },
  CHAIN_UNREADABLE: {
    title: t('The chain cannot be read at present'),
    advice: t('Nothing was stored. Try again in a minute.'),
  },
  EVENTS_EXPIRED: {
    title: t('These events were deleted because of their age'),
    advice: t('Start from the oldest stored event.'),
  },
  DECISION_REFUSED: {
    title: t('This decision is not possible'),
    advice: t('Something has changed since you opened the page. Reload it, and decide again.'),
  },
  HAS_OWNER: {
    title: t('This project has an owner already'),
    advice: t('An owner invites everybody else on the page People.'),
  },
  REPORT_TOO_LARGE: {
    title: t('This report has more than 1,000 rows'),
    advice: t('Choose a shorter period, or months instead of days.'),
  },
  LAST_OPERATOR: {
    title: t('This person is the last operator of the server'),
    advice: t('Add another operator first.'),
  },
  LAST_OWNER: {
    title: t('This person is the last owner of the project'),
    advice: t('Make another person an owner first.'),
  },
  ALREADY_MEMBER: {
    title: t('This person is in the project already'),
    advice: t('Change the role of the person in the list.'),
  },
  SCOPE_NOT_HELD: {
    title: t('You cannot give a key more rights than you have'),
    advice: t('Remove some scopes, or ask an owner to create the key.'),
  },
  TOO_MANY_PEOPLE: {
    title: t('The project has reached its limit of people and open invitations'),
    advice: t('Remove people, or revoke invitations that nobody accepts.'),
  },
  TOO_MANY_KEYS: {
    title: t('The project has reached its limit of active keys'),
    advice: t('Revoke keys that are no longer used.'),
  },
  TOO_MANY_EVENT_WEBHOOKS: {
    title: t('The project has reached its limit of webhooks'),
    advice: t('Remove a webhook that is no longer used.'),
  },
  MEDIA_FULL: {
    title: t('The project stores as many pictures as it may'),
    advice: t('Remove pictures from records that need none. A day later there is room again.'),
  },
  TOTAL_BELOW_USED: {
    title: t('The card was used more often than this total allows'),
    advice: t('Enter a total that is at least the number of uses.'),
  },
  NONCE_REUSED: {
    title: t('This device has already used this scan for another card'),
    advice: t('Scan the card again.'),
  },
  NOT_ENOUGH_OWNED: {
    title: t('The seller does not own enough tokens'),
    advice: t('Lower the quantity, or close other listings of the token.'),
  },
  LISTING_CLOSED: {
    title: t('The listing is no longer open'),
    advice: t('It is sold or was closed. Create a new listing.'),
  },
  COUPON_CODE_TAKEN: {
    title: t('Another coupon of the project has this code'),
    advice: t('Choose another code.'),
  },
  AUCTION_CLOSED: {
    title: t('The auction is not open'),
    advice: t('It has not started, has ended, or was cancelled.'),
  },
  AUCTION_HAS_BIDS: {
    title: t('The auction has bids'),
    advice: t('An auction with bids cannot be cancelled. Wait for its end.'),
  },
  OFFER_CLOSED: {
    title: t('The offer is no longer open'),
    advice: t('It was accepted, rejected or cancelled, or has expired.'),
  },
  OFFER_FOR_OTHERS: {
    title: t('The offer is for other owners too'),
    advice: t('They can still accept it, so it stays open.'),
  },
  OFFER_NOT_YOURS: {
    title: t('The offer does not belong to this wallet'),
    advice: t('Use the wallet that made the offer, or that owns the token.'),
  },
  ORDER_NOT_DECLINABLE: {
    title: t('This payment cannot be given back here'),
    advice: t(
      'The order is still being checked, it was delivered, or its payment counts for another order. Reload the page, or ask an operator.',
    ),
  },
  REFUND_NOT_FINAL: {
    title: t('The chain has not confirmed the transaction yet'),
    advice: t('Wait a minute and press again. If it takes long, check the hash.'),
  },
  REFUND_MISMATCH: {
    title: t('This transaction did not pay the buyer back'),
    advice: t(
      'It must move the token of the order from the wallet of the seller to the wallet of the buyer, after the order was placed. Check the hash.',
    ),
  },
  PAYMENT_HASH_TAKEN: {
    title: t('The transaction counts for another order'),
    advice: t('One transaction counts for one order. Check the hash.'),
  },
  TOO_MANY_PAYMENTS: {
    title: t('This order has too many transactions'),
    advice: t('At most 20 transactions are recorded for an order.'),
  },
  ORDER_NOT_CANCELLABLE: {
    title: t('This order can no longer be cancelled'),
    advice: t('Only an order that waits for its payment can be cancelled.'),
  },
}

/** Errors of the sign-in, by the code of the authentication library. */
export const authErrorTexts: Readonly<Record<string, Sentence>> = {
  INVALID_EMAIL_OR_PASSWORD: {
    title: t('The email address or the password is wrong'),
    advice: t('Check both and try again.'),
  },
  INVALID_EMAIL: { title: t('This is not an email address'), advice: t('Check the address and try again.') },
  INVALID_PASSWORD: { title: t('The password is wrong'), advice: t('Enter your current password.') },
  PASSWORD_TOO_SHORT: { title: t('The password is too short'), advice: t('Use at least 12 characters.') },
  PASSWORD_TOO_LONG: { title: t('The password is too long'), advice: t('Use at most 256 characters.') },
  INVALID_TOKEN: {
    title: t('This link does not work any more'),
    advice: t('It works once, for an hour. Request a new one on the sign-in page.'),
  },
  INVALID_CODE: { title: t('The code is wrong'), advice: t('Enter the newest code of your app.') },
  INVALID_BACKUP_CODE: {
    title: t('The backup code is wrong or was used'),
    advice: t('Each backup code works once. Enter another one.'),
  },
  INVALID_TWO_FACTOR_COOKIE: {
    title: t('The sign-in took too long'),
    advice: t('Enter your password again.'),
  },
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: {
    title: t('Too many wrong codes'),
    advice: t('Enter your password again.'),
  },
  ACCOUNT_TEMPORARILY_LOCKED: {
    title: t('Too many wrong codes'),
    advice: t('Your account is locked for a while. Try again later.'),
  },
  SESSION_NOT_FRESH: {
    title: t('You signed in too long ago for this change'),
    advice: t('Sign out, sign in again, and repeat it.'),
  },
  PASSKEY_NOT_FOUND: {
    title: t('This passkey is not known here'),
    advice: t('It may have been removed. Sign in with your password.'),
  },
  PREVIOUSLY_REGISTERED: {
    title: t('This device has a passkey already'),
    advice: t('Use it to sign in, or remove it from the list first.'),
  },
  PASSKEY_CANCELLED: {
    title: t('No passkey was used'),
    advice: t('The request was closed or took too long. Try again.'),
  },
  PASSKEY_UNSUPPORTED: {
    title: t('This browser does not support passkeys'),
    advice: t('Sign in with your password, or update the browser.'),
  },
}

export const errorNoticeTexts = {
  unknown: {
    title: t('Something went wrong'),
    advice: t('Reload the page. If it happens again, tell an operator what you did.'),
  },
  offline: { title: t('You are offline'), advice: t('The console continues when the connection is back.') },
  /** For a person with a role that may not do something. */
  forbiddenForRole: (role: string) => ({
    title: t('You are not allowed to do this'),
    advice: t('Your role is {role}. Ask an owner of the project to do it, or to change your role.', { role }),
  }),
  retryAfter: (seconds: number) => t('Try again in {seconds} seconds.', { seconds }),
  retry: t('Try again'),
}
