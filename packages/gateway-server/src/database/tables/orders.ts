import type { Generated } from 'kysely'
import type { ReferenceColumns } from '../references.ts'
import type { Amount, ChangingRecordColumns, PayTokenColumns, RecordColumns, Time } from './columns.ts'

export interface OrderTables {
  'gateway.orders': ChangingRecordColumns &
    PayTokenColumns &
    ReferenceColumns & {
      order_no: string
      status: Generated<number>
      market_type: number
      order_type: Generated<number>
      name: Generated<string>
      description: Generated<string>
      chain_id: string
      market_address: Generated<string>
      nft_address: string
      nft_id: Generated<string>
      nft_type: Generated<string>
      nft_name: Generated<string>
      nft_img: Generated<string>
      file_type: Generated<string>
      quantity: Generated<number>
      sender: string
      sender_name: Generated<string>
      sender_photo: Generated<string>
      recipient: string
      recipient_name: Generated<string>
      recipient_photo: Generated<string>
      order_amount: Amount
      pay_amount: Amount
      coupon_code: Generated<string>
      coupon_type: Generated<number>
      hash: Generated<string>
      tx_id: Generated<string>
      serial_no: string
      expires_at: Date
      deleted: Generated<boolean>
      listing_id: number | null
      auction_id: number | null
      offer_id: number | null
      /** Of a mint: the phase that sells. */
      phase_id: number | null
      /** What the order has of its listing. */
      stock: Generated<'none' | 'reserved' | 'released' | 'committed'>
      /** The chain's newest block when the order was made. */
      placed_at_block: Generated<number>
      paid_block: Generated<number>
      paid_block_hash: Generated<string>
      delivery: Generated<'' | 'pending' | 'done'>
      /** Whether several payments may pay the price together until it expires. */
      partial_payments: Generated<boolean>
      /** What its buyer has paid. */
      paid_amount: Generated<string>
      refund_due: Generated<boolean>
      /** What recorded refunds moved to the buyer. */
      refunded_amount: Generated<string>
      /** Why it is FAILED or UNRESOLVED. */
      reason: Generated<string>
      search_key: Generated<string>
    }
  /** When the verifier checks an order next; no row for never. */
  'gateway.order_checks': { project_id: number; order_id: number; due_at: Date }
  /** Transactions that orders claim as their payment. */
  'gateway.order_payments': {
    project_id: number
    hash: string
    order_id: number
    /** When it was first reported for this order. */
    reported_at: Time
    /** 0 while no block holds it. */
    mined_block: Generated<number>
    seen_at: Date | null
    /** '' until it is final. */
    outcome: Generated<string>
    /** What the final transaction paid, if that is known. */
    paid_amount: Generated<string>
    /** Whether the seller owes a refund of it, or has paid that. */
    refund: Generated<'' | 'due' | 'done'>
    refund_amount: Generated<string>
    /** What recorded refunds have paid back of it. */
    refunded_amount: Generated<string>
    /** The transaction that paid it back. */
    refund_hash: Generated<string>
  }
  'gateway.order_events': RecordColumns & {
    order_id: number
    event: string
    from_status: number
    to_status: number
    actor: Generated<string>
    reason: Generated<string>
    hash: Generated<string>
  }
  'gateway.consumed_payments': {
    chain_id: string
    hash: string
    project_id: number
    order_id: number
    /** What a refund moved to the buyer; 0 for a payment. */
    refund_amount: Generated<string>
    refund_block: Generated<number>
    consumed_at: Time
  }
  /** The one order of a project that a transaction keeps UNRESOLVED with its stock reserved. */
  'gateway.disputed_payments': { project_id: number; hash: string; order_id: number }
  'gateway.open_orders': { project_id: number; wallet: string; listing_id: number; open: number }
  'gateway.sales': {
    project_id: number
    order_id: number
    market_type: number
    chain_id: string
    nft_address: string
    nft_id: string
    seller: string
    buyer: string
    quantity: number
    amount: Amount
    pay_token_address: string
    hash: string
    sold_at: Time
  }
}
