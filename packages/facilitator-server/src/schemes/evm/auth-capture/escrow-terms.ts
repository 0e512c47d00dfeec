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

/** A payment that the escrow takes from the payer and pays to the seller at once. */
export interface Charge {
  readonly kind: 'charge'
  readonly info: PaymentInfo
  readonly authorizer: string
  /** The seller's signature for the amount. Undefined before the seller's work: the payment can only be verified. */
  readonly authorizerSignature?: string
}

/** What takes a payment from the payer. */
export type Collect = Authorize | Charge

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

/** A return of captured tokens to the payer. */
export interface Refund extends Signed {
  readonly kind: 'refund'
  readonly amount: bigint
  /** What the escrow must hold when the refund is settled. */
  readonly expected: EscrowBalances
  /** The wallet whose tokens are paid, lower-case, and its signature for exactly this refund (EIP-3009). */
  readonly funding: { readonly from: string; readonly signature: string }
}

/** What a seller requests after a payment was collected. */
export type EscrowOperation = Capture | Void | Refund

export type EscrowAction = Collect | EscrowOperation
