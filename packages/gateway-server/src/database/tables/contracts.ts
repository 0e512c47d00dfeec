import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { ReferenceColumns } from '../references.ts'
import type { Amount, ChangingRecordColumns, RecordColumns } from './columns.ts'

export interface ContractTables {
  'gateway.contracts': ChangingRecordColumns &
    ReferenceColumns & {
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
      /** The chain is the only writer of who owns its tokens. */
      indexed: Generated<boolean>
      extension: ColumnType<Record<string, unknown>, string | undefined, string>
    }
  'gateway.nfts': ChangingRecordColumns & {
    contract_id: number
    chain_id: string
    nft_address: string
    nft_id: string
    nft_type: string
    name: string
    creator: string
    first_owner: string
    quantity: number
    description: Generated<string>
    img_url: Generated<string>
    media_file_type: Generated<string>
    media_file_url: Generated<string>
    properties: JSONColumnType<{ trait_type: string; value: string }[]>
    royalty_percentage: ColumnType<string, number, number>
    token_uri: Generated<string>
    deleted: Generated<boolean>
  }
  'gateway.nft_traits': {
    project_id: number
    contract_id: number
    trait_type: string
    value: string
    /** The NFT's id. */
    nft: number
  }
  'gateway.transfers': RecordColumns & {
    chain_id: string
    nft_address: string
    nft_id: string
    from_address: string
    to_address: string
    quantity: Amount
    order_no: Generated<string>
    hash: Generated<string>
  }
  'gateway.assets': ChangingRecordColumns & {
    chain_id: string
    nft_address: string
    nft_id: string
    nft_type: string
    owner: string
    quantity: Amount
    /** The sum of its holds; a trigger writes it. */
    reserved: GeneratedAlways<string>
    indexed: Generated<boolean>
  }
  'gateway.asset_reservations': RecordColumns & {
    asset_id: number
    holder: 'listing' | 'order' | 'auction' | 'offer' | 'mint'
    /** The holder's id in its own table. */
    holder_id: number
    quantity: Amount
  }
}
