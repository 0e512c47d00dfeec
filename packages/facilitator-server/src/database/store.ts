import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** The database, or a transaction of it. */
export type Store = Kysely<Tables>
