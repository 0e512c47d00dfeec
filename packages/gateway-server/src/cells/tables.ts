import type pg from 'pg'

export interface Table {
  /** With its schema. */
  readonly name: string
  /** All columns, in the order of the table's row type. */
  readonly columns: readonly string[]
  /** The columns that PostgreSQL computes. */
  readonly generated: readonly string[]
  /** The columns of the primary key. */
  readonly key: readonly string[]
  /** The sequence of the ids, if the table has one. */
  readonly sequence: string | null
  /** Whether its rows belong to projects. */
  readonly isOfProjects: boolean
}

/**
 * Reads the tables of the gateway and of its job queue from the catalogue, so that no later table is forgotten.
 * First comes that of signatures: every signed write begins with a row of it in a transaction of its own, so
 * that the others are soon free once it is locked.
 */
export async function readTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    select c.relnamespace::regnamespace || '.' || c.relname as name,
      array_agg(a.attname::text order by a.attnum) as columns,
      coalesce(array_agg(a.attname::text) filter (where a.attgenerated <> ''), '{}') as generated,
      coalesce(array_agg(a.attname::text) filter (where a.attnum = any (i.indkey)), '{}') as key,
      max(case when a.attname = 'id' then pg_get_serial_sequence(c.oid::regclass::text, 'id') end) as sequence,
      c.relnamespace = 'gateway'::regnamespace and bool_or(a.attname = 'project_id') as "isOfProjects"
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      left join pg_index i on i.indrelid = c.oid and i.indisprimary
    where c.relkind in ('r', 'p') and not c.relispartition
      and c.relnamespace in ('gateway'::regnamespace, 'gateway_jobs'::regnamespace)
    group by c.oid
    order by c.relname <> 'used_signatures', c.relname`)
  return rows
}
