import type { Generated } from 'kysely'
import type { Amount, Id, Time } from './columns.ts'

export interface OrderTables {
  'gateway.orders': {
    id: Id
    project_id: number
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
    pay_token_address: Generated<string>
    pay_token_type: Generated<string>
    pay_token_decimals: Generated<number>
    coupon_code: Generated<string>
    coupon_type: Generated<number>
    hash: Generated<string>
    tx_id: Generated<string>
    serial_no: string
    expires_at: Date
    deleted: Generated<boolean>
    created_at: Time
    updated_at: Time
  }
  'gateway.order_payments': { project_id: number; hash: string; order_id: number; reported_at: Time }
}
