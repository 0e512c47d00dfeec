import type { Permit2Terms } from '../shared/permit2/permit2-terms.ts'

/** What identifies a payment channel of the scheme batch-settlement. Addresses are lower-case. */
export interface ChannelConfig {
  readonly payer: string
  /**
   * The key that signs vouchers. The zero address: the payer's contract verifies them, which is not
   * supported.
   */
  readonly payerAuthorizer: string
  readonly receiver: string
  /** The key that signs claims and refunds for the seller. */
  readonly receiverAuthorizer: string
  readonly token: string
  /** Seconds between the announcement of a withdrawal and its execution. */
  readonly withdrawDelay: number
  readonly salt: string
}

/** A payer's promise of at most `maximum` in total. */
export interface Voucher {
  readonly config: ChannelConfig
  /** `0x` and 64 lower-case hex digits. */
  readonly channelId: string
  /** Base units, the total of all requests. */
  readonly maximum: bigint
  readonly signature: string
}

/** A voucher with the total that the seller claims of it. */
export interface Claim extends Voucher {
  readonly total: bigint
}

/** Claims of several channels in one transaction, signed by the authorizer of the seller. */
export interface SignedClaims {
  readonly claims: readonly Claim[]
  readonly signature: string
}

/** What a request of the scheme batch-settlement does. Only a voucher sends no transaction. */
export type ChannelAction = ChannelDeposit | VoucherAction | ChannelOperation

export interface ChannelDeposit {
  readonly kind: 'deposit'
  readonly voucher: Voucher
}

/** A deposit by EIP-3009. `salt` is a part of the nonce. */
export interface AuthorizedDeposit extends ChannelDeposit {
  readonly salt: bigint
}

/** A deposit by Permit2. */
export interface PermittedDeposit extends ChannelDeposit, Permit2Terms {}

/** `refunds`: the payer wants back what was not charged, so the voucher may equal what was claimed. */
export interface VoucherAction {
  readonly kind: 'voucher'
  readonly voucher: Voucher
  readonly refunds: boolean
}

/** What a seller requests. */
export type ChannelOperation =
  | { readonly kind: 'claim'; readonly signed: SignedClaims }
  /** Pays the seller everything that was claimed. */
  | { readonly kind: 'settle' }
  | {
      readonly kind: 'refund'
      readonly voucher: Voucher
      readonly amount: bigint
      readonly refundNonce: bigint
      readonly signature: string
      /** Executed before the refund. */
      readonly signed: SignedClaims | undefined
    }

/** The state of a channel in the newest block. */
export interface ChannelState {
  readonly balance: bigint
  readonly totalClaimed: bigint
  readonly withdrawal: { readonly amount: bigint; readonly requestedAt: bigint }
  readonly refundNonce: bigint
}
