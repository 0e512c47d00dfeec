/**
 * Reasons with which a facilitator refuses a payment before it broadcasts anything: the x402 specification's and those
 * of the packages `@x402/*`. Whoever reads one of them knows that nothing was sent.
 *
 * Left out on purpose, though some facilitators find them before broadcast: a used nonce and a failed simulation (this
 * very payment may have used it), a failed transaction, and the reasons for an error that nobody expected.
 */
const reasons: ReadonlySet<string> = new Set([
  'insufficient_funds',
  'invalid_network',
  'invalid_payload',
  'invalid_payment_requirements',
  'invalid_scheme',
  'invalid_x402_version',
  'unsupported_scheme',
  'unsupported_payload_type',
  'unsupported_payment_flow',
  'unsupported_asset_transfer_method',
  'asset_not_deployed_contract',
  'missing_scheme',
  'missing_facilitator',
  'invalid_exact_evm_payload_signature',
  'invalid_exact_evm_payload_recipient_mismatch',
  'invalid_exact_evm_payload_authorization_valid_after',
  'invalid_exact_evm_payload_authorization_valid_before',
  'invalid_exact_evm_payload_authorization_value',
  'invalid_exact_evm_payload_authorization_value_mismatch',
  'invalid_exact_evm_authorization_value',
  'invalid_exact_evm_authorization_valid_after',
  'invalid_exact_evm_authorization_valid_before',
  'invalid_exact_evm_authorization_value_mismatch',
  'invalid_exact_evm_eip3009_not_supported',
  'invalid_exact_evm_failed_to_parse_signature',
  'invalid_exact_evm_insufficient_balance',
  'invalid_exact_evm_missing_eip712_domain',
  'invalid_exact_evm_network_mismatch',
  'invalid_exact_evm_recipient_mismatch',
  'invalid_exact_evm_scheme',
  'invalid_exact_evm_signature',
  'invalid_exact_evm_token_name_mismatch',
  'invalid_exact_evm_token_version_mismatch',
])

/**
 * Those of the reasons that follow from the signed terms alone, so that the same payment is refused whenever it is sent.
 * All others depend on the chain or on settings at one moment: a balance, a token that is paused, a wallet's code, an
 * allow-list.
 */
const lasting: ReadonlySet<string> = new Set([
  'invalid_payload',
  'invalid_x402_version',
  'missing_scheme',
  'invalid_exact_evm_payload_recipient_mismatch',
  'invalid_exact_evm_payload_authorization_valid_before',
  'invalid_exact_evm_payload_authorization_value',
  'invalid_exact_evm_payload_authorization_value_mismatch',
  'invalid_exact_evm_authorization_value',
  'invalid_exact_evm_authorization_valid_before',
  'invalid_exact_evm_authorization_value_mismatch',
  'invalid_exact_evm_failed_to_parse_signature',
  'invalid_exact_evm_missing_eip712_domain',
  'invalid_exact_evm_network_mismatch',
  'invalid_exact_evm_recipient_mismatch',
])

/** Whether a payment that is refused for this reason will always be refused. */
export function lastsForever(reason: string): boolean {
  return lasting.has(reason)
}

/** Whether an x402 reason is a definite refusal: nothing was broadcast. */
export function comesBeforeBroadcast(reason: string): boolean {
  return reasons.has(reason)
}
