import type { Generated } from 'kysely'
import type { Time } from './columns.ts'

export interface MediaTables {
  'gateway.media': {
    project_id: number
    /** The SHA-256 of the bytes, in hexadecimal. */
    hash: string
    object: string
    bytes: number
    width: number
    height: number
    status: Generated<'WRITING' | 'STORED' | 'REMOVING'>
    /** Null while a record names the picture. */
    unused_since: Generated<Date | null>
    created_at: Time
  }
}
