-- Has a job count a list of the connection's project in segments, and notes that the list was used today.
-- Idempotent. Values that are too long for the index get none. Reads first: an insert would wait for a job
-- that replaces the first segment. Fails instead of waiting for long, because callers of lists can do without
-- segments.
create or replace function gateway.request_list_segments(list_relation text, list_field text, list_value text) returns void
language sql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '100ms' as $$
  insert into gateway.list_segments (project_id, relation, field, value, start)
  select current_setting('mintmark.project')::bigint, list_relation, list_field, list_value, 0
  where octet_length(list_value) <= 1000 and not exists (
    select from gateway.list_segments s
    where s.project_id = current_setting('mintmark.project')::bigint and s.relation = list_relation and s.field = list_field
      and s.value = list_value and s.start = 0)
  on conflict do nothing;
  insert into gateway.list_segment_uses (project_id, relation, field, value)
  select current_setting('mintmark.project')::bigint, list_relation, list_field, list_value
  where octet_length(list_value) <= 1000
  on conflict do nothing
$$;
revoke all on function gateway.request_list_segments(text, text, text) from public;
grant execute on function gateway.request_list_segments(text, text, text) to mintmark_gateway;
