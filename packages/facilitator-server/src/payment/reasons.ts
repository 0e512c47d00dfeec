/**
 * The x402 reasons that this facilitator answers: the specification's list where it names the case, otherwise the
 * reasons of the npm package `@x402/evm` 2.27, so that stock software recognises them.
 */
export const reasons = {
  invalidVersion: 'invalid_x402_version',
  invalidPayload: 'invalid_payload',
  invalidRequirements: 'invalid_payment_requirements',
  invalidNetwork: 'invalid_network',
  networkMismatch: 'invalid_exact_evm_network_mismatch',
  invalidScheme: 'invalid_scheme',
  unsupportedScheme: 'unsupported_scheme',
  unsupportedPayload: 'unsupported_payload_type',
  missingDomain: 'invalid_exact_evm_missing_eip712_domain',
  nameMismatch: 'invalid_exact_evm_token_name_mismatch',
  versionMismatch: 'invalid_exact_evm_token_version_mismatch',
  recipientMismatch: 'invalid_exact_evm_payload_recipient_mismatch',
  valueMismatch: 'invalid_exact_evm_payload_authorization_value_mismatch',
  validAfter: 'invalid_exact_evm_payload_authorization_valid_after',
  validBefore: 'invalid_exact_evm_payload_authorization_valid_before',
  signature: 'invalid_exact_evm_payload_signature',
  noContract: 'asset_not_deployed_contract',
  notEip3009: 'invalid_exact_evm_eip3009_not_supported',
  nonceUsed: 'invalid_exact_evm_nonce_already_used',
  insufficientFunds: 'insufficient_funds',
  simulationFailed: 'invalid_exact_evm_transaction_simulation_failed',
  transactionFailed: 'invalid_exact_evm_transaction_failed',
  transferMismatch: 'invalid_exact_evm_transfer_event_mismatch',
  verifyError: 'unexpected_verify_error',
  settleError: 'unexpected_settle_error',
} as const
