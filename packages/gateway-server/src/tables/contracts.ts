import type { Generated } from 'kysely'
import type { Id, Time } from './columns.ts'

export interface ContractTables {
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
}
