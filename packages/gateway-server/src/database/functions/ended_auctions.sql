-- Lists expired auctions of all projects after a given one, which may have to wait for its chain. Auctions
-- with a winner are listed only if their chain can be read. See claim_due_orders.
-- Reads the times in the order of their index, whatever the statistics say: see pass_times.
create or replace function gateway.ended_auctions(how_many integer, after_end timestamptz, after_id bigint, unreadable text[])
returns table (project_id bigint, auction_id bigint, end_time timestamptz)
language sql stable security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
  select a.project_id, a.id, a.end_time from gateway.auctions a
  where a.end_time <= statement_timestamp() and (a.end_time, a.id) > (after_end, after_id)
    and case when a.top_bid > 0 and a.top_bid >= a.reserve_price
      then a.status = 'OPEN' and a.chain_id <> all(unreadable)
      else a.status in ('OPEN', 'INACTIVE') end
    and a.status in ('OPEN', 'INACTIVE')
  order by a.end_time, a.id limit how_many
$$;
revoke all on function gateway.ended_auctions(integer, timestamptz, bigint, text[]) from public;
grant execute on function gateway.ended_auctions(integer, timestamptz, bigint, text[]) to mintmark_gateway;
