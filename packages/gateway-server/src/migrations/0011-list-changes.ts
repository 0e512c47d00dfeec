import type { Migration } from '@mintmark/server-kit'

/**
 * Records which transactions changed the tables of lists, so that cached counts can be validated. Each
 * transaction inserts its own rows: writers never wait for each other, and a rollback removes the rows.
 */
export const listChangeRecords: Migration = {
  id: '0011_list_changes',
  up: `
    create table gateway.list_changes (
      -- 0 for rows that belong to no single project
      project_id bigint not null,
      relation text not null,
      transaction xid8 not null default pg_current_xact_id(),
      primary key (project_id, relation, transaction)
    );
    alter table gateway.list_changes enable row level security;
    create policy tenant on gateway.list_changes
      using (project_id in (0, current_setting('mintmark.project', true)::bigint));
    revoke insert, update, delete on gateway.list_changes from mintmark_gateway;
  `,
}
