import type { Sealer } from '@mintmark/server-kit'
import type { Db } from '../../database/tables.ts'
import type { Mailer } from './mailer.ts'

/** What the operations of people and keys write. Calls of projects have no access to these tables. */
export interface PeoplePort {
  /** Connections of the schema's owner. */
  readonly db: Db
  readonly sealer: Sealer
}

/** What the operations of people and keys need of the server. */
export interface PeoplePorts {
  readonly people: PeoplePort
  /** Every scope of this server's operations that a key can have. */
  readonly knownScopes: ReadonlySet<string>
  /** Every scope of this server's operations that a publishable key can have. */
  readonly publishableScopes: ReadonlySet<string>
  /** This server's public URL, without a trailing slash. */
  readonly publicUrl: string
  /** Undefined if the server sends no mails. */
  readonly mailer: Mailer | undefined
  /** Whether a facilitator is connected, whose operations are forwarded. */
  readonly hasFacilitator: boolean
}
