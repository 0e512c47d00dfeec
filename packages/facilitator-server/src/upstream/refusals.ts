/**
 * Reasons with which a facilitator refuses a payment before it broadcasts anything: the x402 specification's and those
 * of the packages `@x402/*`. Whoever reads one of them knows that the payment was not, and will not be, executed.
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

/** Whether an x402 reason is a definite refusal: nothing was broadcast. */
export function comesBeforeBroadcast(reason: string): boolean {
  return reasons.has(reason)
}
