import type { Sealer } from '@mintmark/server-kit'
import type { Db } from '../../database/tables.ts'

/** What the operations of people and keys write. Calls of projects have no access to these tables. */
export interface PeoplePort {
  /** Connections of the schema's owner. */
  readonly db: Db
  readonly sealer: Sealer
}
