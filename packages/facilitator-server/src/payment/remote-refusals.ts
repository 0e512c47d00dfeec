/**
 * Reasons with which a facilitator refuses a payment before it broadcasts anything, from the x402
 * specification and the packages `@x402/*`. They prove that nothing was sent.
 *
 * Some facilitators detect further reasons before broadcast that are omitted on purpose: a used nonce and a
 * failed simulation (this very payment may have used the nonce), a failed transaction, and unexpected errors.
 */
const REASONS_BEFORE_BROADCAST: ReadonlySet<string> = new Set([
  'insufficient_funds',
  'payment_refused',
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
  'eip6492_factory_not_allowed',
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
 * The reasons that follow from the signed terms alone, so that the same payment is always refused. All others
 * depend on the present state of the chain or the settings: a balance, a paused token, a wallet's code, an
 * allow-list.
 */
const PERMANENT_REASONS: ReadonlySet<string> = new Set([
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
export function isPermanent(reason: string): boolean {
  return PERMANENT_REASONS.has(reason)
}

/** Whether an x402 reason is a definite refusal: nothing was broadcast. */
export function isBeforeBroadcast(reason: string): boolean {
  return REASONS_BEFORE_BROADCAST.has(reason)
}
