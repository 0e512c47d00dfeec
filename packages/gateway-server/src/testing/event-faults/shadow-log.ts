import { type Kysely, sql } from 'kysely'
import type { RowChange } from '../../database/event-source.ts'
import { CAPTURED_TABLES, TABLES_WITHOUT_EVENTS } from '../../database/row-changes.ts'
import type { Tables } from '../../database/tables.ts'
import { Tenant } from '../../database/tenant.ts'
import { eventSources } from '../../main/composition.ts'
import { TEST_URL } from '../gateway.ts'

/** The tables with events, each with the columns whose change alone writes no event. */
const IGNORED: Readonly<Record<string, readonly string[]>> = {
  ...CAPTURED_TABLES,
  wallet_info: [],
  chain_transfers: [],
}

/**
 * Records every change of every row with events in a table of its own: by triggers for each row that share
 * nothing with those of the gateway, so that an event which is missing, doubled or out of order is found.
 */
export async function installShadowLog(db: Kysely<Tables>): Promise<void> {
  await sql`create schema shadow`.execute(db)
  await sql`create table shadow.log (id bigint generated always as identity primary key, project_id bigint not null,
    relation text not null, transaction xid8 not null default pg_current_xact_id(), before jsonb, after jsonb)`.execute(
    db,
  )
  await sql`create function shadow.record() returns trigger language plpgsql security definer as $$
    declare
      old_row constant jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
      new_row constant jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
    begin
      if old_row - tg_argv[0:] is not distinct from new_row - tg_argv[0:] then return null; end if;
      if tg_table_name = 'chain_transfers' then
        insert into shadow.log (project_id, relation, before, after)
          select c.project_id, tg_table_name, old_row, new_row from gateway.contracts c
          where c.indexed and not c.deleted and c.chain_id = coalesce(new_row, old_row) ->> 'chain_id'
            and c.nft_address = coalesce(new_row, old_row) ->> 'nft_address'
            and (coalesce(new_row, old_row) ->> 'block_time')::timestamptz >= c.created_at - interval '1 minute';
      else
        insert into shadow.log (project_id, relation, before, after)
          values ((coalesce(new_row, old_row) ->> 'project_id')::bigint, tg_table_name, old_row, new_row);
      end if;
      return null;
    end $$`.execute(db)
  for (const [table, ignored] of Object.entries(IGNORED)) {
    const columns = sql.join(['updated_at', ...ignored].map((column) => sql.lit(column)))
    await sql`create trigger shadow after insert or update or delete on ${sql.table(`gateway.${table}`)}
      for each row execute function shadow.record(${columns})`.execute(db)
  }
}

interface ShadowChange {
  readonly id: number
  readonly project: number
  readonly relation: string
  /** Identifies the row and the transaction. */
  readonly group: string
}

/** The types of the events that the log of a subject demands, in their order, by project and subject. */
export async function listExpectedTypes(db: Kysely<Tables>): Promise<Map<string, string[]>> {
  const { rows } = await sql<ShadowChange>`
    select id, project_id as project, relation,
      concat_ws('/', transaction, project_id, relation, coalesce(after, before) ->> 'id', coalesce(after, before) ->> 'address') as "group"
    from shadow.log order by id`.execute(db)
  const groups = new Map<string, { first: ShadowChange; last: ShadowChange }>()
  for (const change of rows) {
    const first = groups.get(change.group)?.first ?? change
    // In the place of the last change.
    groups.delete(change.group)
    groups.set(change.group, { first, last: change })
  }
  const expected = new Map<string, string[]>()
  for (const { first, last } of groups.values()) {
    const before = await readRow(db, first, 'before')
    const after = await readRow(db, last, 'after')
    if (before === undefined && after === undefined) continue
    const source = eventSources.find(({ table }) => table === last.relation)
    if (source === undefined) throw new Error(`No source reports changes of ${last.relation}`)
    const context = { tenant: new Tenant(db, last.project), publicUrl: TEST_URL }
    for (const { type, subject } of await source.toEvents({ before, after } as RowChange<never>, context)) {
      const key = `${last.project} ${subject}`
      expected.set(key, [...(expected.get(key) ?? []), type])
    }
  }
  return expected
}

async function readRow(
  db: Kysely<Tables>,
  { id, relation }: ShadowChange,
  column: 'before' | 'after',
): Promise<object | undefined> {
  const { rows } = await sql<object>`
    select r.* from shadow.log l, jsonb_populate_record(null::${sql.table(`gateway.${relation}`)}, l.${sql.ref(column)}) r
    where l.id = ${id} and l.${sql.ref(column)} is not null`.execute(db)
  return rows[0]
}

/**
 * Describes each row whose number of entries in the audit log is not the number of transactions that changed
 * it.
 */
export async function listAuditProblems(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ row: string; transactions: number; entries: number }>`
    with changed as (
      select project_id, relation, coalesce(after, before) ->> 'id' as id, coalesce(after, before) ->> 'address' as address,
        transaction
      from shadow.log
    ), expected as (
      select project_id, relation, coalesce(id, address) as row_key, count(distinct transaction) as transactions
      from changed group by 1, 2, 3
    ), found as (
      select project_id, record_type as relation, record_id as row_key, count(*) as entries
      from gateway.audit_entries group by 1, 2, 3
    )
    select concat_ws(' ', project_id, relation, row_key) as row, coalesce(transactions, 0) as transactions,
      coalesce(entries, 0) as entries
    from expected full join found using (project_id, relation, row_key)
    where relation in (select distinct relation from shadow.log)
      and transactions is distinct from entries and relation <> all (${TABLES_WITHOUT_EVENTS})`.execute(db)
  return rows.map(
    ({ row, transactions, entries }) => `${row} has ${entries} entries of ${transactions} transactions`,
  )
}
