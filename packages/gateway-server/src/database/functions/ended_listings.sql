-- Lists expired listings of all projects that are still running. See claim_due_orders.
-- Reads the times in the order of their index, whatever the statistics say: see pass_times.
create or replace function gateway.ended_listings(how_many integer)
returns table (project_id bigint, listing_id bigint)
language sql stable security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
  select l.project_id, l.id from gateway.listings l
  where l.status in ('ON', 'INACTIVE') and l.end_time <= statement_timestamp()
  order by l.end_time limit how_many
$$;
revoke all on function gateway.ended_listings(integer) from public;
grant execute on function gateway.ended_listings(integer) to mintmark_gateway;
