/**
 * The x402 reasons of this facilitator's responses: the specification's reason if it has one, otherwise the
 * reason of the npm package `@x402/evm` 2.27, so that stock software recognizes it.
 */
export const reasons = {
  /** `x402Version` is neither 1 nor 2, or the payload has another version than the request. */
  invalidVersion: 'invalid_x402_version',
  /** The payload, its authorization or the body is malformed. */
  invalidPayload: 'invalid_payload',
  /**
   * The requirements are malformed, name an asset that is not accepted, or differ from what the payer
   * accepted.
   */
  invalidRequirements: 'invalid_payment_requirements',
  /** The network is not served. */
  invalidNetwork: 'invalid_network',
  /** The payer accepted another network than the requirements name. */
  networkMismatch: 'invalid_exact_evm_network_mismatch',
  /** The payer accepted another scheme than the requirements name. */
  invalidScheme: 'invalid_scheme',
  /** The scheme is neither `exact` nor, where this facilitator settles by itself, `upto`. */
  unsupportedScheme: 'unsupported_scheme',
  /** The payload is for another method of transfer than the requirements name. */
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
  /**
   * The authorization has expired or is about to expire, or it is valid for longer than this facilitator
   * allows.
   */
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
  /**
   * The recipient would receive less than the amount, because the token takes a fee of transfers or changes
   * balances otherwise.
   */
  deliveredAmountMismatch: 'invalid_exact_evm_delivered_amount_mismatch',
  /** The payer's wallet does not exist yet, and its factory is not among the accepted ones. */
  factoryNotAllowed: 'eip6492_factory_not_allowed',
  /** The factory does not deploy the payer's wallet. */
  deploymentFailed: 'smart_wallet_deployment_failed',
  /** Too many transactions of the payer, or of the account's payers, were reverted recently. */
  tooManyReverts: 'invalid_transaction_state',
  /** The transaction was reverted. */
  transactionFailed: 'invalid_exact_evm_transaction_failed',
  /**
   * The transaction was mined and succeeded without the expected transfer. It is charged and counts as one that
   * reverted. A remote facilitator may report it as well.
   */
  transferMismatch: 'invalid_exact_evm_transfer_event_mismatch',
  /**
   * The payer has not approved Permit2 for the asset, or payments in flight need the approval. A wallet sends
   * an approval once per asset, or signs one (EIP-2612).
   */
  allowanceRequired: 'permit2_allowance_required',
  /** The chain has no Permit2, or not x402's contract for it. */
  proxyNotDeployed: 'permit2_proxy_not_deployed',
  /** The payer signed for another contract than x402's for the scheme. */
  spenderMismatch: 'invalid_permit2_spender',
  /** The payer signed for another recipient than `payTo`. */
  permit2RecipientMismatch: 'invalid_permit2_recipient_mismatch',
  /** The payer signed for another token than the asset. */
  permit2TokenMismatch: 'permit2_token_mismatch',
  /** The payer did not sign for the accepted amount. */
  permit2AmountMismatch: 'permit2_amount_mismatch',
  /**
   * The signature for Permit2 has expired or is about to expire, or it is valid for longer than this
   * facilitator allows.
   */
  permit2DeadlineExpired: 'permit2_deadline_expired',
  /** The signature for Permit2 is not valid yet. */
  permit2NotYetValid: 'permit2_not_yet_valid',
  /** The signature for Permit2 is not the payer's. */
  permit2Signature: 'invalid_permit2_signature',
  /** The nonce was used or cancelled at Permit2. Every payment requires a new nonce. */
  permit2NonceUsed: 'permit2_invalid_nonce',
  /** The transfer by Permit2 would fail on the chain, or cost more gas than is allowed. */
  permit2SimulationFailed: 'permit2_simulation_failed',
  /** The signed approval of Permit2 (EIP-2612) is malformed. */
  approvalMalformed: 'invalid_eip2612_extension_format',
  /** The signed approval of Permit2 is another wallet's. */
  approvalFromMismatch: 'eip2612_from_mismatch',
  /** The signed approval of Permit2 is for another token. */
  approvalAssetMismatch: 'eip2612_asset_mismatch',
  /** The signed approval is for another contract than Permit2. */
  approvalSpenderMismatch: 'eip2612_spender_not_permit2',
  /** The signed approval of Permit2 is for another amount than the payment. */
  approvalAmountMismatch: 'permit2_2612_amount_mismatch',
  /** The signed approval of Permit2 has expired or is about to expire. */
  approvalExpired: 'eip2612_deadline_expired',
  /** The payer's signed approval transaction (extension `erc20ApprovalGasSponsoring`) is malformed. */
  approvalTxMalformed: 'invalid_erc20_approval_extension_format',
  /** The extension with the signed approval transaction names another wallet than the payer. */
  approvalTxFromMismatch: 'erc20_approval_from_mismatch',
  /** The extension with the signed approval transaction names another token than the asset. */
  approvalTxAssetMismatch: 'erc20_approval_asset_mismatch',
  /** The extension with the signed approval transaction names another contract than Permit2. */
  approvalTxSpenderMismatch: 'erc20_approval_spender_not_permit2',
  /** The signed approval transaction cannot be parsed, or is not of the form that every node accepts. */
  approvalTxUnreadable: 'erc20_approval_tx_parse_failed',
  /** The signed approval transaction calls another contract than the asset. */
  approvalTxWrongTarget: 'erc20_approval_tx_wrong_target',
  /** The signed approval transaction calls another function than `approve`. */
  approvalTxWrongSelector: 'erc20_approval_tx_wrong_selector',
  /** The signed approval transaction approves another contract than Permit2. */
  approvalTxWrongSpender: 'erc20_approval_tx_wrong_spender',
  /**
   * The call data of the signed approval transaction is not exactly an approval of at least the payment's
   * maximum.
   */
  approvalTxInvalidCall: 'erc20_approval_tx_invalid_calldata',
  /** The payer's key did not sign the approval transaction. */
  approvalTxSignerMismatch: 'erc20_approval_tx_signer_mismatch',
  /**
   * The signed approval transaction cannot be mined now: its nonce, gas limit, fee, chain or value, or the
   * wallet has code.
   */
  approvalTxFailed: 'erc20_approval_tx_failed',
  /** The nodes did not accept the signed approval transaction, or it was not mined in time. */
  approvalTxNotMined: 'erc20_approval_broadcast_failed',
  /** The payer signed for another facilitator. */
  facilitatorMismatch: 'upto_facilitator_mismatch',
  /** The amount of the settle is above the signed maximum. */
  aboveMaximum: 'invalid_upto_evm_payload_settlement_exceeds_amount',
  /**
   * The payer's identifier (extension `payment-identifier`) belongs to another payment, which was or may
   * still be executed.
   */
  identifierConflict: 'payment_identifier_conflict',
  /** The operator of the facilitator does not accept the payment: its payer, its recipient or its terms. */
  paymentRefused: 'payment_refused',
  /** The chain could not be read, or the payment could not be screened. Retry later. */
  verifyError: 'unexpected_verify_error',
  /** The payment was not sent, because the chain, gas or the database was not available. */
  settleError: 'unexpected_settle_error',
} as const
