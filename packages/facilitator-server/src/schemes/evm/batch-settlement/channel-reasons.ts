/** The x402 reasons of the scheme batch-settlement, as in the npm package `@x402/evm` 2.27. */
export const channelReasons = {
  /**
   * The payload is not one that this call accepts: a voucher is only verified, claims and payouts are only
   * settled.
   */
  payloadType: 'invalid_batch_settlement_evm_payload_type',
  /** The channel's id is not that of its configuration. */
  channelIdMismatch: 'invalid_batch_settlement_evm_channel_id_mismatch',
  /** The channel pays another recipient than `payTo`. */
  receiverMismatch: 'invalid_batch_settlement_evm_receiver_mismatch',
  /** The channel has another authorizer than the requirements' `extra.receiverAuthorizer`, or none. */
  receiverAuthorizerMismatch: 'invalid_batch_settlement_evm_receiver_authorizer_mismatch',
  /** The channel is for another token than the asset. */
  tokenMismatch: 'invalid_batch_settlement_evm_token_mismatch',
  /** The channel has another delay of withdrawals than the requirements. */
  withdrawDelayMismatch: 'invalid_batch_settlement_evm_withdraw_delay_mismatch',
  /** The delay of withdrawals is shorter than 15 minutes or longer than 30 days. */
  withdrawDelayOutOfRange: 'invalid_batch_settlement_evm_withdraw_delay_out_of_range',
  /**
   * The voucher's signature is not that of the channel's `payerAuthorizer`, or the channel has none, or it
   * does not end with 27 or 28.
   */
  voucherSignature: 'invalid_batch_settlement_evm_voucher_signature',
  /** The channel has no deposit on the chain, as far as the node knows. */
  channelNotFound: 'invalid_batch_settlement_evm_channel_not_found',
  /** The voucher, or a claim, is above the channel's balance. */
  exceedsBalance: 'invalid_batch_settlement_evm_cumulative_exceeds_balance',
  /** The voucher is not above what was already claimed, or a claim changes nothing. */
  belowClaimed: 'invalid_batch_settlement_evm_cumulative_below_claimed',
  /** The deposit's authorization by EIP-3009 is missing. */
  authorizationRequired: 'invalid_batch_settlement_evm_erc3009_authorization_required',
  /** The requirements lack the asset's EIP-712 domain: `extra.name` and `extra.version`. */
  missingDomain: 'invalid_batch_settlement_evm_missing_eip712_domain',
  /** The signature of the deposit is not the payer's. */
  depositSignature: 'invalid_batch_settlement_evm_receive_authorization_signature',
  /** The deposit's authorization is not valid yet. */
  validAfter: 'invalid_batch_settlement_evm_payload_authorization_valid_after',
  /** The deposit's authorization has expired or is about to expire. */
  validBefore: 'invalid_batch_settlement_evm_payload_authorization_valid_before',
  /** The payer signed the deposit by Permit2 for another contract than x402's collector. */
  permit2SpenderMismatch: 'invalid_batch_settlement_evm_permit2_invalid_spender',
  /** The payer signed the deposit by Permit2 for another amount. */
  permit2AmountMismatch: 'invalid_batch_settlement_evm_permit2_amount_mismatch',
  /** The signature of the deposit for Permit2 has expired or is about to expire. */
  permit2DeadlineExpired: 'invalid_batch_settlement_evm_permit2_deadline_expired',
  /** The signature of the deposit for Permit2 is not the payer's. */
  permit2Signature: 'invalid_batch_settlement_evm_permit2_invalid_signature',
  /** The payer has not approved Permit2 for the deposit, or payments in flight need the approval. */
  permit2AllowanceRequired: 'invalid_batch_settlement_evm_permit2_allowance_required',
  /** The signed approval of Permit2 is for another amount than the deposit. */
  approvalAmountMismatch: 'invalid_batch_settlement_evm_eip2612_amount_mismatch',
  /** The deposit would fail on the chain. */
  depositSimulationFailed: 'invalid_batch_settlement_evm_deposit_simulation_failed',
  /** The claim, the refund or the payout would fail on the chain. */
  claimSimulationFailed: 'invalid_batch_settlement_evm_claim_simulation_failed',
  /** Everything that was claimed for the seller was paid out. */
  nothingToSettle: 'invalid_batch_settlement_evm_nothing_to_settle',
  /** The seller's authorizer must sign claims and refunds. This facilitator has no key for it. */
  authorizerNotConfigured: 'invalid_batch_settlement_evm_authorizer_not_configured',
  /** The claims of one transaction have different authorizers. */
  authorizerMismatch: 'invalid_batch_settlement_evm_authorizer_address_mismatch',
  /** Nothing of the channel is left to refund. */
  refundNoBalance: 'invalid_batch_settlement_evm_refund_no_balance',
  /** The refund has another nonce than the channel, so it was executed before or others came first. */
  refundNonceMismatch: 'invalid_batch_settlement_evm_refund_simulation_failed',
} as const
