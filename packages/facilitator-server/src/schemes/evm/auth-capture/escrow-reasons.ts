/** The x402 reasons of the scheme auth-capture, as in its specification 1.1. */
export const escrowReasons = {
  /** The payload is not one by EIP-3009, or a field is missing or has another form. */
  payloadFormat: 'invalid_auth_capture_evm_payload_format',
  /** `payload.type` is neither `capture` nor `void` nor `refund`, or the call or the payment flow does not accept it. */
  payloadType: 'invalid_auth_capture_evm_payload_type',
  /** `paymentFlow` is neither `escrow` nor `authorization`. */
  unsupportedFlow: 'invalid_auth_capture_evm_unsupported_payment_flow',
  /** The requirements' `extra` is incomplete, names another escrow, or has a fee. */
  extra: 'invalid_auth_capture_evm_extra',
  /** Without `extra.receiverAuthorizer` nobody could charge, capture or void the payment here. */
  missingAuthorizer: 'invalid_auth_capture_evm_missing_receiver_authorizer',
  /** `operatorType` is another one than `delegated`. */
  unsupportedOperator: 'invalid_auth_capture_evm_unsupported_operator_type',
  /** The requirements name a policy, which only other operators have. */
  policy: 'invalid_auth_capture_evm_policy',
  /** `captureAuthorizer` is not one of this facilitator's signers. */
  operatorNotAdmitted: 'invalid_auth_capture_evm_operator_not_admitted',
  /** The payment has another operator than `extra.captureAuthorizer`. */
  operatorMismatch: 'invalid_auth_capture_evm_operator_mismatch',
  /** The salt is not the hash of the seller's authorizer and `saltNonce`. */
  saltMismatch: 'invalid_auth_capture_evm_salt_binding_mismatch',
  /** The signature is not that of `extra.receiverAuthorizer`. */
  authorizerSignature: 'invalid_auth_capture_evm_authorizer_signature',
  /** This facilitator has no key for the seller's authorizer, so that the seller must sign. */
  unauthenticatedAuthorizer: 'invalid_auth_capture_evm_unauthenticated_authorizer_request',
  /** The escrow holds something else than the seller has signed for. */
  unexpectedState: 'invalid_auth_capture_evm_unexpected_payment_state',
  /** Nobody but this facilitator would pay the refund, or the chain has no collector of refunds. */
  refundUnavailable: 'invalid_auth_capture_evm_refund_funding_unavailable',
  /** A capture and a void in one request are not supported. */
  voidSignature: 'invalid_auth_capture_evm_void_authorizer_signature',
  /** `assetTransferMethod` is another one than `eip3009`. */
  unsupportedMethod: 'invalid_auth_capture_evm_unsupported_asset_transfer_method',
  /** The payload is for another method than `assetTransferMethod`. */
  methodMismatch: 'invalid_auth_capture_evm_payload_method_mismatch',
  /** The deadline of captures has passed, or is about to pass. */
  captureDeadline: 'invalid_auth_capture_evm_capture_deadline_expired',
  /** The deadline of refunds has passed, or is about to pass. */
  refundDeadline: 'invalid_auth_capture_evm_refund_deadline_expired',
  /** The refund is above what was captured and not refunded. */
  refundExceeds: 'invalid_auth_capture_evm_refund_exceeds_capture',
  /** The times are not in their order: authorization, capture, refund. */
  deadlineOrdering: 'invalid_auth_capture_evm_deadline_ordering',
  /** The authorization has expired or is about to expire, or it is valid for longer than is allowed. */
  expired: 'invalid_auth_capture_evm_authorization_expired',
  /** The authorization is not valid yet. */
  notYetValid: 'invalid_auth_capture_evm_authorization_not_yet_valid',
  /** The signature is not that of the wallet that pays. */
  signature: 'invalid_auth_capture_evm_signature',
  /** The payer signed another amount than the requirements have, or a charge, capture or refund is of 0. */
  amountMismatch: 'invalid_auth_capture_evm_amount_mismatch',
  /** The amount is above what the escrow can store. */
  amountOverflow: 'invalid_auth_capture_evm_amount_overflow',
  /** The payer signed for another contract than the collector of the escrow. */
  collectorMismatch: 'invalid_auth_capture_evm_token_collector_mismatch',
  /** The nonce is not the hash of the payment. */
  nonceMismatch: 'invalid_auth_capture_evm_nonce_mismatch',
  /** The balance of the wallet that pays is less than the amount. */
  insufficientBalance: 'invalid_auth_capture_evm_insufficient_balance',
  /** The payment was collected before, or its nonce was used or cancelled. */
  alreadyCollected: 'invalid_auth_capture_evm_payment_already_collected',
  /** The token moved another amount than it should. */
  collectionFailed: 'invalid_auth_capture_evm_token_collection_failed',
  /** A fee is requested of a payment without fees. */
  feeOutOfRange: 'invalid_auth_capture_evm_fee_bps_out_of_range',
  /** The receiver of fees is another one than the payment has. */
  feeReceiver: 'invalid_auth_capture_evm_fee_receiver',
  /** The escrow holds less of the payment than is to be captured. */
  insufficientAuthorization: 'invalid_auth_capture_evm_insufficient_authorization',
  /** The escrow holds nothing of the payment. */
  zeroAuthorization: 'invalid_auth_capture_evm_zero_authorization',
  /** The transaction would fail on the chain, or cost more gas than is allowed. */
  simulationFailed: 'invalid_auth_capture_evm_simulation_failed',
} as const
