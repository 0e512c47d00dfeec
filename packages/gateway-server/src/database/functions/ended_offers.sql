-- Lists expired offers of all projects that are still active. See claim_due_orders.
-- Reads the times in the order of their index, whatever the statistics say: see pass_times.
create or replace function gateway.ended_offers(how_many integer)
returns table (project_id bigint, offer_id bigint)
language sql stable security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
  select o.project_id, o.id from gateway.offers o
  where o.status = 'ACTIVE' and o.expire_time <= statement_timestamp()
  order by o.expire_time limit how_many
$$;
revoke all on function gateway.ended_offers(integer) from public;
grant execute on function gateway.ended_offers(integer) to mintmark_gateway;
