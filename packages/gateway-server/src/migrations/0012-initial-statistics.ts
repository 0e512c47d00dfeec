import type { Migration } from '@mintmark/server-kit'

/**
 * Gives the tables statistics before they have rows. Without any, PostgreSQL expects one of two hundred rows for each condition on a column, so
 * one row of a small table whatever the list, and may sort all rows where an index has them in order. A new database has one project with few
 * contracts, creators and kinds. The first ANALYZE of a table replaces these. PostgreSQL before 18 cannot be given statistics; there, lists
 * are slower until the tables are analyzed, which takes seconds.
 */
export const initialStatistics: Migration = {
  id: '0012_initial_statistics',
  up: `
    do $$ begin
      if current_setting('server_version_num')::int < 180000 then return; end if;
      perform pg_restore_attribute_stats(
        'schemaname', 'gateway', 'relname', c.relname::text, 'attname', a.attname::text, 'inherited', false,
        'version', 180000, 'null_frac', 0::real, 'avg_width', 8,
        'n_distinct', (case a.attname when 'project_id' then 1 else 4 end)::real)
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'gateway'::regnamespace and c.relkind = 'r' and c.reltuples = -1
        and (a.attname = 'project_id' or c.relname = 'cards' and a.attname in ('program', 'nft_address', 'creator'));
    end $$`,
}
