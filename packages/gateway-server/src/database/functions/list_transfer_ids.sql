-- Returns the ids of transfers of the connection's project, from first_id to last_id: those that this server
-- recorded, and those of its indexed contracts. Parameters that are null limit nothing; `wallet` is on either
-- side. Reads each index that has some of the transfers in their order, because only the contracts say which
-- transfers of a chain a project has. Runs as the schema's owner: row-level security would look up the
-- contract of each transfer.
create or replace function gateway.list_transfer_ids(
  contract text, token text, wallet text, first_id bigint, last_id bigint, descending boolean, skipped bigint, max_rows bigint
) returns setof bigint
language plpgsql stable security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set enable_incremental_sort = off set jit = off as $$
declare
  direction constant text := case when descending then 'desc' else 'asc' end;
  source record;
  part text;
  parts text[] := '{}';
begin
  for source in
    select name, condition, side, columns,
      (select string_agg('t.' || c, ', ' order by n) from unnest(columns) with ordinality as u (c, n)) as names,
      (select string_agg(case c when 'project_id' then '$1' when 'nft_id' then '$3' when side then '$4' else address end, ', ' order by n)
        from unnest(columns) with ordinality as u (c, n)) as bounds,
      (select string_agg('t.' || c || ' ' || direction, ', ' order by n) from unnest(columns || 'id'::text) with ordinality as u (c, n)) as sorting
    from unnest(case when wallet is null then array[''] else array['from_address', 'to_address'] end) as side,
      -- The columns of an index before the id.
      lateral (values
        ('transfers', 'true', '$2', array['project_id'] || case
          when side <> '' then array[side] when contract is null or token is null then '{}' else array['nft_address', 'nft_id'] end),
        ('chain_transfers', 't.chain_id = c.chain_id', 'c.nft_address',
          array['nft_address'] || case when side <> '' then array[side] when token is null then '{}' else array['nft_id'] end)
      ) as index_of (name, condition, address, columns)
  loop
    part := format('(select t.id from gateway.%s t where %s and (%s, t.id) >= (%s, $5) and (%3$s, t.id) <= (%4$s, $6) order by %5$s limit $7)',
      source.name,
      -- A condition on a column of the index would leave the column out of the order, so that PostgreSQL may
      -- choose another index.
      source.condition
        || case when contract is null or 'nft_address' = any(source.columns) then '' else ' and t.nft_address = $2' end
        || case when token is null or 'nft_id' = any(source.columns) then '' else ' and t.nft_id = $3' end
        || case when source.side = 'to_address' then ' and t.from_address <> t.to_address' else '' end,
      source.names, source.bounds, source.sorting);
    if source.name = 'chain_transfers' then
      part := format('select t.id from gateway.contracts c cross join lateral %s t where c.project_id = $1 and c.indexed and not c.deleted and %s',
        part, case when contract is null then 'true' else 'c.nft_address = $2' end);
    end if;
    parts := parts || part;
  end loop;
  return query execute format('select id from (%s) as transfer order by id %s limit $9 offset $8', array_to_string(parts, ' union all '), direction)
    using current_setting('mintmark.project')::bigint, contract, token, wallet, coalesce(first_id, 0), coalesce(last_id, 9223372036854775807),
      skipped + max_rows, skipped, max_rows;
end $$;
revoke all on function gateway.list_transfer_ids(text, text, text, bigint, bigint, boolean, bigint, bigint) from public;
grant execute on function gateway.list_transfer_ids(text, text, text, bigint, bigint, boolean, bigint, bigint) to mintmark_gateway;
