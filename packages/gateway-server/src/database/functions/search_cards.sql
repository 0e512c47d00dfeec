-- Returns the ids of the cards of a program whose name contains a pattern of `ilike`, at most max_rows unless
-- it is null. Row-level security keeps `ilike` from using an index: this function runs as the schema's owner
-- and reads the rows of the connection's project.
create or replace function gateway.search_cards(card_program text, pattern text, max_rows bigint) returns setof bigint
language sql stable security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_bitmapscan = on as $$
  select t.id from gateway.cards t
  where t.project_id + 0 = current_setting('mintmark.project')::bigint and t.program || '' = card_program
    and t.name ilike pattern
  limit max_rows
$$;
revoke all on function gateway.search_cards(text, text, bigint) from public;
grant execute on function gateway.search_cards(text, text, bigint) to mintmark_gateway;
