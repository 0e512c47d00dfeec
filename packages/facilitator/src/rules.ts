/** The payer named is not the wallet of the key's account. */
export const PAYER_MISMATCH = 'payer_mismatch'
/** The signature is not the payer's over these terms. */
export const INVALID_QUOTA_SIGNATURE = 'invalid_signature'
/** A quota's or revocation's nonce must be larger than every one before it. */
export const QUOTA_NONCE_USED = 'nonce_used'
/** The address of a webhook leads where none may be. */
export const WEBHOOK_URL_REFUSED = 'webhook_url_refused'
/** An account has as many webhooks as it may. */
export const TOO_MANY_WEBHOOKS = 'too_many_webhooks'
