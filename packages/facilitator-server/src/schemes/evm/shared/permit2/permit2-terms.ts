/** What a payer signed for Permit2, besides the terms of every payment. */
export interface Permit2Terms {
  /** The most that the signature allows, in base units of the asset. Equal to the amount unless it is metered. */
  readonly maximum: bigint
  /** The payer's signed approval of Permit2, for a payer who has not sent one. */
  readonly approval?: SignedApproval
  /** The payer's signed transaction that approves Permit2, on chains where we broadcast such transactions. */
  readonly approvalTransaction?: ApprovalTransaction
}

/**
 * An approval that the token executes by the owner's signature (EIP-2612). The amount is the payment's
 * maximum.
 */
export interface SignedApproval {
  /** Unix seconds; the last second at which the token accepts it. */
  deadline: bigint
  /** `0x` and 130 lower-case hex digits. */
  signature: string
}

/**
 * A signed transaction of the payer that approves Permit2 for the asset, for at least the payment's maximum.
 * Its signer is not verified yet.
 */
export interface ApprovalTransaction {
  /** The bytes to broadcast, `0x` and lower-case hex digits. */
  raw: string
  hash: string
  /** What the key has signed, 32 bytes. */
  digest: string
  /** 65 bytes, `0x` and lower-case hex digits. */
  signature: string
  /** The call data. */
  data: string
  nonce: number
  gas: bigint
  /** The most wei per unit of gas. */
  maxFeePerGas: bigint
}
