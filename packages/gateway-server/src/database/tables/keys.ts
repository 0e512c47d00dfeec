import type { Generated } from 'kysely'
import type { Id, Time } from './columns.ts'

export interface KeyTables {
  'gateway.projects': { id: Id; name: string; created_at: Time }
  'gateway.api_keys': {
    id: Id
    project_id: number
    api_key: string
    name: string
    wallet: Generated<string>
    scopes: string[]
    store_id: number | null
    created_at: Time
    revoked_at: Date | null
  }
  'gateway.api_key_secrets': {
    id: Id
    project_id: number
    key_id: number
    sealed: string
    created_at: Time
    retires_at: Date | null
  }
  'gateway.publishable_keys': {
    id: Id
    project_id: number
    publishable_key: string
    name: string
    scopes: string[]
    origins: string[]
    created_at: Time
    revoked_at: Date | null
  }
}
