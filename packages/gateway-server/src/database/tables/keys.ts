import type { Generated } from 'kysely'
import type { Id, RecordColumns, Time } from './columns.ts'

export interface KeyTables {
  'gateway.projects': {
    id: Id
    name: string
    state: Generated<'ACTIVE' | 'FROZEN' | 'MOVED'>
    cell: Generated<string>
    created_at: Time
  }
  'gateway.api_keys': RecordColumns & {
    api_key: string
    name: string
    wallet: Generated<string>
    scopes: string[]
    store_id: number | null
    revoked_at: Date | null
  }
  'gateway.api_key_secrets': RecordColumns & {
    key_id: number
    sealed: string
    retires_at: Date | null
  }
  'gateway.publishable_keys': RecordColumns & {
    publishable_key: string
    name: string
    scopes: string[]
    origins: string[]
    revoked_at: Date | null
  }
}
