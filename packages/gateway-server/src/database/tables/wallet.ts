import type { Generated } from 'kysely'
import type { ChangingRecordColumns, Id, RecordColumns, Time } from './columns.ts'

export interface WalletTables {
  'gateway.wallet_info': {
    project_id: number
    address: string
    name: Generated<string>
    search_name: Generated<string>
    email: Generated<string>
    description: Generated<string>
    background: Generated<string>
    profile_photo: Generated<string>
    showcase_background: Generated<string>
    created_at: Time
    updated_at: Time
  }
  'gateway.address_book': ChangingRecordColumns & {
    owner: string
    address: string
    name: string
    remark: Generated<string>
  }
  'gateway.fans': { id: Id; project_id: number; fan: string; address: string; created_at: Time }
  'gateway.follows': ChangingRecordColumns & {
    address: string
    nft_address: string
    nft_id: string
    following: boolean
    followed_at: Time
  }
  'gateway.messages': RecordColumns & {
    sender: string
    recipient: Generated<string>
    group_id: Generated<string>
    content: string
    reply_to: number | null
    sender_name: Generated<string>
    sender_photo: Generated<string>
    recipient_name: Generated<string>
    recipient_photo: Generated<string>
    removed: Generated<boolean>
  }
  'gateway.conversations': {
    project_id: number
    owner: string
    other: string
    last_message_id: number | null
    read_id: Generated<number>
  }
  'gateway.message_views': {
    project_id: number
    owner: string
    id: number
    other: string
    incoming: boolean
    created_at: Date
  }
}
