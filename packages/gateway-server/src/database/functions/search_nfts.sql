-- Returns the ids of the NFTs whose name, description or id contains a pattern of `ilike`, at most max_rows
-- unless it is null. The pattern may also match their concatenation. Row-level security keeps `ilike` from
-- using an index: this function runs as the schema's owner and reads the rows of the connection's project.
create or replace function gateway.search_nfts(pattern text, max_rows bigint) returns setof bigint
language sql stable security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_indexscan = off set enable_bitmapscan = on as $$
  select t.id from gateway.nfts t
  where t.project_id + 0 = current_setting('mintmark.project')::bigint
    and t.name || e'\n' || t.description || e'\n' || t.nft_id ilike pattern
  limit max_rows
$$;
revoke all on function gateway.search_nfts(text, bigint) from public;
grant execute on function gateway.search_nfts(text, bigint) to mintmark_gateway;
