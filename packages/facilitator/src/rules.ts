/**
 * The payer named is not the wallet of the key's account.
 *
 * Name the account's own wallet, or use the key of the account whose wallet it is.
 */
export const PAYER_MISMATCH = { reason: 'payer_mismatch' } as const
/**
 * The signature is not the payer's over these terms.
 *
 * Sign under the present signing domain, with the wallet that is named: `signPayerQuota` and `signRevocation` do.
 */
export const INVALID_QUOTA_SIGNATURE = { reason: 'invalid_signature' } as const
/**
 * A quota's or revocation's nonce must be larger than every one before it.
 *
 * Read the signing domain again, whose `nextNonce` is the one to sign.
 */
export const QUOTA_NONCE_USED = { reason: 'nonce_used' } as const
/**
 * The address of a webhook leads where none may be.
 *
 * Name an https address that resolves to a public one.
 */
export const WEBHOOK_URL_REFUSED = { reason: 'webhook_url_refused' } as const
/**
 * An account has as many webhooks as it may.
 *
 * Change or remove one that is there.
 */
export const TOO_MANY_WEBHOOKS = { reason: 'too_many_webhooks' } as const
