/** What identifies a payment in the escrow. Addresses are lower-case, times are Unix seconds. */
export interface PaymentInfo {
  /** The only sender of the payment's calls: one of our signers. */
  readonly operator: string
  readonly payer: string
  readonly receiver: string
  readonly token: string
  /** Base units that the payer has signed. */
  readonly maxAmount: bigint
  /** The payment can be authorized before. */
  readonly preApprovalExpiry: bigint
  /** The payment can be captured before. From then on the payer can take back what was not captured. */
  readonly authorizationExpiry: bigint
  readonly refundExpiry: bigint
  readonly minFeeBps: bigint
  readonly maxFeeBps: bigint
  readonly feeReceiver: string
  /** `0x` and 64 lower-case hex digits: a hash of the seller's authorizer. */
  readonly salt: string
}

/** A payment of which the escrow takes the amount from the payer. */
export interface Authorize {
  readonly kind: 'authorize'
  readonly info: PaymentInfo
}

/** What the escrow holds of a payment, in base units. */
export interface EscrowBalances {
  /** What can be captured or voided. */
  readonly capturable: bigint
  /** What was captured and not refunded. */
  readonly refundable: bigint
}

/** What the seller's authorizer signs for. */
interface Signed {
  readonly info: PaymentInfo
  /** The address that must have signed, lower-case. */
  readonly authorizer: string
  readonly signature: string
}

/** A transfer of a part of what the escrow holds to the seller. */
export interface Capture extends Signed {
  readonly kind: 'capture'
  readonly amount: bigint
  /** What the escrow must hold when the capture is settled: every capture is signed for one state. */
  readonly expected: EscrowBalances
}

/** A return of everything that the escrow holds to the payer. */
export interface Void extends Signed {
  readonly kind: 'void'
}

/** What a seller requests after a payment was authorized. */
export type EscrowOperation = Capture | Void

export type EscrowAction = Authorize | EscrowOperation
