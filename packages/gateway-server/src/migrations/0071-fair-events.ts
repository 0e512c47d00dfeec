import type { Migration } from '@mintmark/server-kit'

/**
 * Lets the sequencer find the first changes of each project and the changes of one row, without reading
 * others.
 */
export const fairEvents: Migration = {
  id: '0071_fair_events',
  up: `
    alter table gateway.row_changes
      -- identifies the row in its table: its id, or the address of a profile
      add column row_key text not null
        generated always as (coalesce(coalesce(after, before) ->> 'id', coalesce(after, before) ->> 'address', '')) stored;
    alter table gateway.row_changes add constraint row_changes_key_limit check (char_length(row_key) <= 200);
    drop index gateway.row_changes_waiting;
    create index row_changes_waiting on gateway.row_changes (project_id, id) where problem = '';
    drop index gateway.row_changes_by_transaction;
    create index row_changes_of_row on gateway.row_changes (project_id, transaction, relation, row_key)
      where problem = '';
    create index row_changes_problems on gateway.row_changes (id) where problem <> '';
  `,
}
