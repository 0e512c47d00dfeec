import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely'

type Id = GeneratedAlways<number>
type Time = Generated<Date>
/** numeric(78,0): base units as decimal text. */
type Amount = ColumnType<string, string, string>

export interface Tables {
  'gateway.projects': { id: Id; name: string; created_at: Time }
  'gateway.api_keys': {
    id: Id
    project_id: number
    api_key: string
    name: string
    wallet: Generated<string>
    scopes: string[]
    created_at: Time
    revoked_at: Date | null
  }
  'gateway.api_key_secrets': {
    id: Id
    key_id: number
    sealed: string
    created_at: Time
    retires_at: Date | null
  }
  'gateway.wallet_info': {
    project_id: number
    address: string
    name: Generated<string>
    email: Generated<string>
    description: Generated<string>
    background: Generated<string>
    profile_photo: Generated<string>
    showcase_background: Generated<string>
    created_at: Time
    updated_at: Time
  }
  'gateway.contracts': {
    id: Id
    project_id: number
    chain_id: string
    nft_address: string
    name: string
    symbol: Generated<string>
    nft_type: string
    contract_type: Generated<string>
    owner: Generated<string>
    description: Generated<string>
    img_url: Generated<string>
    metadata: Generated<string>
    channel: Generated<string>
    adult: Generated<boolean>
    deleted: Generated<boolean>
    created_at: Time
    updated_at: Time
  }
  'gateway.cards': {
    id: Id
    project_id: number
    program: 'promo_code' | 'event' | 'commemorative' | 'membership'
    name: string
    creator: Generated<string>
    chain_id: Generated<string>
    nft_address: string
    nft_id: Generated<string>
    nft_type: Generated<string>
    start_time: Date
    end_time: Date
    validity_period: Date
    total_issued: number
    used_count: Generated<number>
    is_checked_in: Generated<boolean>
    amount: Generated<string>
    applicable_stores: Generated<string[]>
    background_image_url: Generated<string>
    logo_url: Generated<string>
    image_url: Generated<string>
    qr_code: string
    qr_code_url: Generated<string>
    usage_instructions: Generated<string>
    deleted: Generated<boolean>
    created_at: Time
    updated_at: Time
  }
  'gateway.product_nfts': {
    id: Id
    project_id: number
    nft_address: string
    name: string
    owner: string
    adult: Generated<boolean>
    channel: Generated<string>
    description: Generated<string>
    img_url: Generated<string>
    license_code: Generated<string>
    limited: Generated<number>
    media_file_type: Generated<string>
    media_file_url: Generated<string>
    properties: JSONColumnType<{ trait_type: string; value: string }[]>
    royalty_percentage: ColumnType<string, number, number>
    status: Generated<string>
    token_uri: Generated<string>
    deleted: Generated<boolean>
    created_at: Time
    updated_at: Time
  }
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
