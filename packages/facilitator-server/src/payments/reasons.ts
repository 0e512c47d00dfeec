/**
 * The x402 reasons of this facilitator's responses: the specification's reason if it has one, otherwise the reason of the npm package
 * `@x402/evm` 2.27, so that stock software recognizes it.
 */
export const reasons = {
  /** `x402Version` is neither 1 nor 2, or the payload has another version than the request. */
  invalidVersion: 'invalid_x402_version',
  /** The payload, its authorization or the body is malformed. */
  invalidPayload: 'invalid_payload',
  /** The requirements are malformed, name an asset that is not accepted, or differ from what the payer accepted. */
  invalidRequirements: 'invalid_payment_requirements',
  /** The network is not served. */
  invalidNetwork: 'invalid_network',
  /** The payer accepted another network than the requirements name. */
  networkMismatch: 'invalid_exact_evm_network_mismatch',
  /** The payer accepted another scheme than the requirements name. */
  invalidScheme: 'invalid_scheme',
  /** The scheme is not `exact`. */
  unsupportedScheme: 'unsupported_scheme',
  /** The payment uses Permit2. Only EIP-3009 is supported. */
  unsupportedPayload: 'unsupported_payload_type',
  /** The requirements lack the asset's EIP-712 domain: `extra.name` and `extra.version`. */
  missingDomain: 'invalid_exact_evm_missing_eip712_domain',
  /** `extra.name` is not the token's name. */
  nameMismatch: 'invalid_exact_evm_token_name_mismatch',
  /** `extra.version` is not the token's version. */
  versionMismatch: 'invalid_exact_evm_token_version_mismatch',
  /** The authorization pays another recipient than `payTo`. */
  recipientMismatch: 'invalid_exact_evm_payload_recipient_mismatch',
  /** The authorization is not for the required amount. */
  valueMismatch: 'invalid_exact_evm_payload_authorization_value_mismatch',
  /** The authorization is not valid yet. */
  validAfter: 'invalid_exact_evm_payload_authorization_valid_after',
  /** The authorization has expired or is about to expire, or it is valid for longer than this facilitator allows. */
  validBefore: 'invalid_exact_evm_payload_authorization_valid_before',
  /** The signature is not the payer's. */
  signature: 'invalid_exact_evm_payload_signature',
  /** The asset's address has no contract. */
  noContract: 'asset_not_deployed_contract',
  /** The asset has no EIP-3009 transfers with the usual domain. */
  notEip3009: 'invalid_exact_evm_eip3009_not_supported',
  /** The nonce was used or cancelled. Every payment requires a new nonce. */
  nonceUsed: 'invalid_exact_evm_nonce_already_used',
  /** The payer's balance is less than the amount, or payments in flight use it. */
  insufficientFunds: 'insufficient_funds',
  /** The transfer would fail on the chain, or cost more gas than is allowed. */
  simulationFailed: 'invalid_exact_evm_transaction_simulation_failed',
  /** The payer's wallet does not exist yet, and its factory is not among the accepted ones. */
  factoryNotAllowed: 'eip6492_factory_not_allowed',
  /** The factory does not deploy the payer's wallet. */
  deploymentFailed: 'smart_wallet_deployment_failed',
  /** Too many transactions of the payer, or of the account's payers, were reverted recently. */
  tooManyReverts: 'invalid_transaction_state',
  /** The transaction was reverted. */
  transactionFailed: 'invalid_exact_evm_transaction_failed',
  /** The transaction did not make the payment, according to the remote facilitator. */
  transferMismatch: 'invalid_exact_evm_transfer_event_mismatch',
  /** The chain could not be read. Retry later. */
  verifyError: 'unexpected_verify_error',
  /** The payment was not sent, because the chain, gas or the database was not available. */
  settleError: 'unexpected_settle_error',
} as const
