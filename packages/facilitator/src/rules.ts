import { serverOnly } from '@mintmark/envelope'

/**
 * The success of this payment was delivered before, or another call is settling it.
 *
 * Do not deliver again. If the response of an earlier call was lost, read the payment's order.
 */
export const DUPLICATE_SETTLEMENT = {
  status: 400,
  reason: 'duplicate_settlement',
  message: serverOnly('The settlement of this payment was delivered before'),
} as const
/**
 * The payer is not the wallet of the key's account.
 *
 * Send the account's own wallet as the payer, or use the key of the payer's account.
 */
export const PAYER_MISMATCH = {
  status: 403,
  reason: 'payer_mismatch',
  message: serverOnly("The payer is not the wallet of the key's account"),
} as const
/**
 * The signature is not the payer's signature of these terms.
 *
 * Sign with the payer's wallet and the current signing domain, as `signPayerQuota` and `signRevocation` do.
 */
export const INVALID_QUOTA_SIGNATURE = {
  status: 400,
  reason: 'invalid_signature',
  message: serverOnly("The signature is not the payer's over these terms"),
} as const
/**
 * The nonce of a quota or revocation must be larger than every previous nonce.
 *
 * Sign the `nextNonce` of a newly requested signing domain.
 */
export const QUOTA_NONCE_USED = {
  status: 409,
  reason: 'nonce_used',
  message: serverOnly('The nonce must be larger than every earlier one'),
} as const
/**
 * The URL of the webhook is not allowed.
 *
 * Use an https URL whose host resolves to a public address.
 */
export const WEBHOOK_URL_REFUSED = {
  status: 400,
  reason: 'webhook_url_refused',
  message: serverOnly('The URL cannot receive webhooks'),
} as const
/**
 * The account has reached its limit of webhooks.
 *
 * Change or remove an existing webhook.
 */
export const TOO_MANY_WEBHOOKS = {
  status: 409,
  reason: 'too_many_webhooks',
  message: serverOnly('The account has reached the maximum number of webhooks'),
} as const
/**
 * The wallet already has an account, which an operator created.
 *
 * Use a key of that account: its operator creates keys. Operators find the account by a search for the wallet.
 */
export const PAYER_HAS_ACCOUNT = {
  status: 409,
  reason: 'payer_has_account',
  message: serverOnly('The wallet already has an account'),
} as const
/**
 * Accounts of this facilitator are created by its operator only.
 *
 * Ask the operator for an account and a key.
 */
export const ACCOUNTS_NOT_OPENED = {
  status: 403,
  reason: 'accounts_not_opened',
  message: serverOnly('Accounts of this facilitator are created by its operator. Ask for one'),
} as const
/**
 * The proof is not one of the wallet's key for this facilitator and the present time.
 *
 * Sign a new proof with `signAccountProof`, for the address of the facilitator, and check this machine's
 * clock. Wallets that are contracts have no key: ask the operator for an account.
 */
export const INVALID_ACCOUNT_PROOF = {
  status: 400,
  reason: 'invalid_account_proof',
  message: serverOnly("The signature is not that of the wallet's key over this proof"),
} as const
/**
 * The proof was used before. A proof is accepted once.
 *
 * Sign a new one. If its first response was lost, the new one returns another key.
 */
export const PROOF_USED = {
  status: 409,
  reason: 'proof_used',
  message: serverOnly('The proof was used before. Sign a new one'),
} as const
/**
 * The operator, or a reversed deposit, has frozen the account. It gets no new key.
 *
 * Ask the operator to end the freeze. The keys of before remain valid.
 */
export const ACCOUNT_FROZEN = {
  status: 403,
  reason: 'account_frozen',
  message: serverOnly('The account is frozen. Ask the operator'),
} as const
