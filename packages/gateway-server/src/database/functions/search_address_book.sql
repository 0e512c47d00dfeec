-- Returns the ids of the entries of an address book whose name, remark or address contains a pattern of
-- `ilike`, at most max_rows unless it is null. The pattern may also match their concatenation. Row-level
-- security keeps `ilike` from using an index: this function runs as the schema's owner and reads the rows of
-- the connection's project.
create or replace function gateway.search_address_book(book_owner text, pattern text, max_rows bigint) returns setof bigint
language sql stable security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_bitmapscan = on as $$
  select t.id from gateway.address_book t
  where t.project_id + 0 = current_setting('mintmark.project')::bigint and t.owner || '' = book_owner
    and t.name || e'\n' || t.remark || e'\n' || t.address ilike pattern
  limit max_rows
$$;
revoke all on function gateway.search_address_book(text, text, bigint) from public;
grant execute on function gateway.search_address_book(text, text, bigint) to mintmark_gateway;
