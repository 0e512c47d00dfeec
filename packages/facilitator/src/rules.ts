import { rule } from '@mintmark/envelope'

/** The payer named is not the wallet of the key's account. */
export const PAYER_MISMATCH = rule(40301, "The payer is not the account's wallet", 'payer_mismatch')
/** The signature is not the payer's over these terms. */
export const INVALID_QUOTA_SIGNATURE = rule(
  40001,
  "The signature is not the payer's over these terms",
  'invalid_signature',
)
/** A quota's or revocation's nonce must be larger than every one before it. */
export const QUOTA_NONCE_USED = rule(40901, 'The nonce must be larger than the last one', 'nonce_used')
/** The address of a webhook leads where none may be. */
export const WEBHOOK_URL_REFUSED = rule(40002, 'The URL cannot receive webhooks', 'webhook_url_refused')
/** An account has as many webhooks as it may. */
export const TOO_MANY_WEBHOOKS = rule(
  40902,
  'The account has as many webhooks as it may',
  'too_many_webhooks',
)
