import type { Generated } from 'kysely'
import type { Time } from './columns.ts'

export interface WalletTables {
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
}
