import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Amount, ChangingRecordColumns, RecordColumns, Time, TimedRecordColumns } from './columns.ts'

type Json<Value> = ColumnType<Value, string | undefined, string>

export interface MintingTables {
  'gateway.minter_keys': { project_id: number; address: string; sealed: string; created_at: Time }
  'gateway.mint_collections': ChangingRecordColumns & {
    program: 'lazy' | 'product'
    contract_id: number
    name: Generated<string>
    description: Generated<string>
    img_url: Generated<string>
    banner_url: Generated<string>
    token_uri: Generated<string>
    royalty_percentage: ColumnType<string, number | undefined, number>
    royalty_recipient: Generated<string>
    primary_sale_recipient: Generated<string>
    previews: Json<{ url: string; mediaFileType?: string; name?: string }[]>
    extension: Json<Record<string, unknown>>
  }
  'gateway.mint_phases': TimedRecordColumns & {
    collection_id: number
    name: string
    start_time: Date
    end_time: Date
    price: Amount
    pay_token_address: Generated<string>
    /** 0: no limit. */
    max_claimable: number
    /** 0: no limit. */
    limit_per_wallet: number
    claimed: Generated<number>
    whitelist_mode: 'NONE' | 'LIST' | 'MERKLE'
    merkle_root: Generated<string>
    priced_by: Generated<'CHAIN' | 'ORDER'>
    /** Another with every change of the whitelist. */
    whitelist_revision: Generated<string>
    deleted: Generated<boolean>
  }
  'gateway.mint_whitelist': ChangingRecordColumns & {
    phase_id: number
    address: string
    /** 0: as the phase says. */
    wallet_limit: Amount
    leaf: string
  }
  'gateway.mint_wallets': {
    project_id: number
    phase_id: number
    wallet: string
    used: number
    open: Generated<number>
  }
  'gateway.mintable_nfts': TimedRecordColumns & {
    program: 'lazy' | 'product'
    /** Null for a product, whose contract need not be registered. */
    contract_id: number | null
    nft_address: string
    name: string
    /** Who receives the price and the royalties of a product. */
    owner: Generated<string>
    adult: Generated<boolean>
    channel: Generated<string>
    description: Generated<string>
    img_url: Generated<string>
    license_code: Generated<string>
    media_file_type: Generated<string>
    media_file_url: Generated<string>
    token_uri: Generated<string>
    properties: Json<{ trait_type: string; value: string }[]>
    /** Null: the collection's. */
    royalty_percentage: ColumnType<string | null, number | null | undefined, number | null>
    /** Null: the phase's. */
    price: ColumnType<string | null, string | null | undefined, string | null>
    pay_token_address: Generated<string>
    status: Generated<string>
    /** The end of a reservation without a signature. */
    reserved_until: Date | null
    /** 0: no limit. A lazily minted NFT is limited to one. */
    limited: Generated<number>
    reserved: Generated<number>
    minted: Generated<number>
    token_id: Generated<string>
    draw: GeneratedAlways<number>
    deleted: Generated<boolean>
  }
  'gateway.mint_reservations': ChangingRecordColumns & {
    collection_id: number
    phase_id: number
    /** The NFT's id; 0 for the collection's own token. */
    nft: Generated<number>
    recipient: string
    quantity: number
    price: Amount
    pay_token_address: Generated<string>
    status: Generated<'RESERVED' | 'SIGNED' | 'MINTED' | 'RELEASED'>
    expires_at: Date
    minter: Generated<string>
    uid: Generated<string>
    payload: Json<Record<string, string>>
    signature: Generated<string>
    from_block: Generated<number>
    searched_to: Generated<number>
    /** Seconds since the epoch, by the chain's clock. */
    valid_until: Generated<number>
    token_id: Generated<string>
    hash: Generated<string>
    /** The last block that was read by its hash for this mint, once the signature has expired; 0 for none. */
    proven_to: Generated<number>
    /** How often the chain left open whether the expired signature was used. */
    undecided_attempts: Generated<number>
    due_at: Date | null
    /** It costs something, and an order takes it. */
    needs_order: Generated<boolean>
    order_id: number | null
    /** What the wallet could have in the phase; 0: any number. */
    wallet_limit: Generated<number>
    /** The operator who decided the signature, and why; empty if the chain did. */
    resolved_by: Generated<string>
    resolution: Generated<string>
  }
  'gateway.token_data': {
    project_id: number
    nft: number
    version: number
    data: Json<Record<string, unknown>>
    updated_by: string
    updated_at: Time
  }
  'gateway.token_data_changes': RecordColumns & {
    nft: number
    version: number
    changed_by: string
    before: Json<Record<string, unknown>>
    after: Json<Record<string, unknown>>
  }
}
