-- Statistics of the tables above before they have rows. Without any, PostgreSQL expects one of two hundred rows for each condition on a column, so
-- one row of a small table whatever the list, and may sort all rows where an index has them in order. A new database has one
-- project with few contracts, creators and kinds, and hardly any removed cards. Most texts of a card are empty, so a page has
-- twice the rows that PostgreSQL expects. The first ANALYZE of a table replaces these. PostgreSQL before 18 cannot be given
-- statistics; there, lists are slower until autovacuum analyzes the tables, within a minute or so.
do $$ begin
  if current_setting('server_version_num')::int < 180000 then return; end if;
  perform pg_restore_attribute_stats(
    'schemaname', 'gateway', 'relname', c.relname::text, 'attname', a.attname::text, 'inherited', false,
    'version', 180000, 'null_frac', 0::real, 'avg_width', 8,
    'n_distinct', (case a.attname when 'project_id' then 1 else 4 end)::real)
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = 'gateway'::regnamespace and c.relkind = 'r' and c.reltuples = -1
    and (a.attname = 'project_id' or c.relname = 'cards' and a.attname in ('program', 'nft_address', 'creator'));

  perform pg_restore_attribute_stats(
    'schemaname', 'gateway', 'relname', 'cards', 'attname', a.attname::text, 'inherited', false,
    'version', 180000, 'null_frac', 0::real, 'avg_width', 8, 'n_distinct', 0::real)
  from pg_attribute a
  where a.attrelid = 'gateway.cards'::regclass and a.atttypid in ('text'::regtype, 'text[]'::regtype)
    and a.attname not in ('program', 'nft_address', 'creator');

  perform pg_restore_attribute_stats(
    'schemaname', 'gateway', 'relname', 'cards', 'attname', 'deleted', 'inherited', false,
    'version', 180000, 'null_frac', 0::real, 'avg_width', 1, 'n_distinct', 2::real,
    'most_common_vals', '{f}', 'most_common_freqs', '{0.95}'::real[]);
end $$;
