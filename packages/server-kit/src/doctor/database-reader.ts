import type pg from 'pg'
import type { Outcome } from './finding.ts'

/** Reads from the database that is checked. */
export interface DatabaseReader {
  readonly url: string
  query<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>
}

/** Checks one part of a database. */
export type DatabaseProbe = (db: DatabaseReader) => Promise<readonly Outcome[]>
