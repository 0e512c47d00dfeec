/**
 * The success of this payment was delivered before, or another call is settling it.
 *
 * Do not deliver again. If the response of an earlier call was lost, read the payment's order.
 */
export const DUPLICATE_SETTLEMENT = { reason: 'duplicate_settlement' } as const
/**
 * The payer is not the wallet of the key's account.
 *
 * Send the account's own wallet as the payer, or use the key of the payer's account.
 */
export const PAYER_MISMATCH = { reason: 'payer_mismatch' } as const
/**
 * The signature is not the payer's signature of these terms.
 *
 * Sign with the payer's wallet and the current signing domain, as `signPayerQuota` and `signRevocation` do.
 */
export const INVALID_QUOTA_SIGNATURE = { reason: 'invalid_signature' } as const
/**
 * The nonce of a quota or revocation must be larger than every previous nonce.
 *
 * Sign the `nextNonce` of a newly requested signing domain.
 */
export const QUOTA_NONCE_USED = { reason: 'nonce_used' } as const
/**
 * The URL of the webhook is not allowed.
 *
 * Use an https URL whose host resolves to a public address.
 */
export const WEBHOOK_URL_REFUSED = { reason: 'webhook_url_refused' } as const
/**
 * The account has reached its limit of webhooks.
 *
 * Change or remove an existing webhook.
 */
export const TOO_MANY_WEBHOOKS = { reason: 'too_many_webhooks' } as const
