import type { Migration } from '@mintmark/server-kit'
import { JSON_OBJECT } from './limits.ts'

/** The maximum size of a column without a limit of its own, more than any copy of a limited field takes. */
const DEFAULT_BYTES = 32_768

/**
 * Columns whose content is larger: token data, and responses that are stored for repeated calls (at most 8
 * MiB as JSON, escaped).
 */
const LARGER = {
  'token_data_changes.before': JSON_OBJECT,
  'token_data_changes.after': JSON_OBJECT,
  'idempotency_keys.body': 16 * 1024 * 1024,
}

const larger = Object.entries(LARGER).map(([column, bytes]) => `('${column}', ${bytes})`)

/**
 * Limits the columns that the servers fill, such as copies of names and addresses, hashes and generated
 * codes. No text of a tenant table is unbounded, so that a value that reaches a column without a check cannot
 * fill the database.
 */
export const defaultLimits: Migration = {
  id: '0013_default_limits',
  up: `
    do $$
    declare
      item record;
    begin
      for item in
        select c.relname as table_name,
          string_agg(format('octet_length(%I::text) <= %s', a.attname, coalesce(l.bytes, ${DEFAULT_BYTES})), ' and ' order by a.attnum)
            as conditions
        from pg_class c
        join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        left join (values ${larger.join(', ')}) as l (name, bytes) on l.name = c.relname || '.' || a.attname
        where c.relnamespace = 'gateway'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
          and a.atttypid in ('text'::regtype, 'text[]'::regtype, 'jsonb'::regtype, 'json'::regtype)
          and exists (select from pg_attribute p where p.attrelid = c.oid and p.attname = 'project_id')
          and not exists (
            select from pg_constraint k
            where k.conrelid = c.oid and k.contype in ('c', 'f') and a.attnum = any (k.conkey))
        group by c.relname
      loop
        execute format('alter table gateway.%I add constraint %I check (%s)', item.table_name, item.table_name || '_default_limits',
          item.conditions);
      end loop;
    end $$`,
}
