import { transaction } from '@mintmark/server-kit'
import { sql } from 'kysely'
import type { Db, Tables } from '../database/tables.ts'
import type { TestGateway } from './gateway.ts'

/** A table without its schema. */
type TableName<Name = keyof Tables> = Name extends `gateway.${infer Table}` ? Table : never

/** Counts the rows of tables that work reads, in a transaction of the schema's owner. */
export async function countRowsRead(
  { owner }: TestGateway,
  tables: readonly TableName[],
  work: (trx: Db) => Promise<unknown>,
): Promise<number> {
  return await transaction(owner.system, async (trx) => {
    // The counts of the connection begin before this transaction.
    const before = await readCounts(trx, tables)
    await work(trx)
    return (await readCounts(trx, tables)) - before
  })
}

async function readCounts(trx: Db, tables: readonly TableName[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::int as count from pg_stat_xact_user_tables
    where schemaname = 'gateway' and relname = any(${[...tables]}::text[])`.execute(trx)
  return rows[0]?.count ?? 0
}
