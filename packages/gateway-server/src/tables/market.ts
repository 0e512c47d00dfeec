import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { Id, Time } from './columns.ts'

export interface MarketTables {
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
}
