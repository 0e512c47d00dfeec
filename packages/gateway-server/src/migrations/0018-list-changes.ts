import type { ListChanges, Migration } from '@mintmark/server-kit'

/** Tables whose rows belong to projects and decide how many rows a list has. */
const OF_PROJECTS = [
  'address_book',
  'assets',
  'card_stores',
  'card_verifications',
  'cards',
  'contracts',
  'fans',
  'follows',
  'lazy_nfts',
  'listings',
  'message_views',
  'messages',
  'mint_reservations',
  'mint_whitelist',
  'nft_traits',
  'nfts',
  'offers',
  'orders',
  'token_data_changes',
  'transfers',
] as const

/** What `list_changes` records, for counts that are kept. */
export const listChanges: ListChanges = {
  schema: 'gateway',
  table: 'list_changes',
  recorded: [...OF_PROJECTS, 'chain_transfers'],
  views: { transfer_history: ['transfers', 'chain_transfers', 'contracts'] },
}

const recordChanges = (table: string, record: string) => `
    create trigger record_inserted after insert on gateway.${table}
      referencing new table as changed for each statement execute function gateway.${record}();
    create trigger record_updated after update on gateway.${table}
      referencing new table as changed for each statement execute function gateway.${record}();
    create trigger record_deleted after delete on gateway.${table}
      referencing old table as changed for each statement execute function gateway.${record}();`

/**
 * Records which transactions changed the tables of lists. Each transaction adds rows of its own, so that writers of a project never wait for each
 * other, and a rollback takes its record back.
 */
export const listChangeRecords: Migration = {
  id: '0018_list_changes',
  up: `
    create table gateway.list_changes (
      -- 0: rows that belong to no project alone
      project_id bigint not null,
      relation text not null,
      transaction xid8 not null default pg_current_xact_id(),
      primary key (project_id, relation, transaction)
    );
    alter table gateway.list_changes enable row level security;
    create policy tenant on gateway.list_changes
      using (project_id in (0, current_setting('mintmark.project', true)::bigint));
    revoke insert, update, delete on gateway.list_changes from mintmark_gateway;

    create function gateway.record_list_change() returns trigger
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
    begin
      insert into gateway.list_changes (project_id, relation)
        select distinct project_id, tg_table_name from changed
        on conflict do nothing;
      return null;
    end $$;

    create function gateway.record_change_of_all() returns trigger
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
    begin
      insert into gateway.list_changes (project_id, relation)
        select 0, tg_table_name where exists (select from changed)
        on conflict do nothing;
      return null;
    end $$;
    ${OF_PROJECTS.map((table) => recordChanges(table, 'record_list_change')).join('\n')}
    ${recordChanges('chain_transfers', 'record_change_of_all')}
  `,
}
