-- Lists expired listings of all projects that are still running. See claim_due_orders.
create or replace function gateway.ended_listings(how_many integer)
returns table (project_id bigint, listing_id bigint)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select l.project_id, l.id from gateway.listings l
  where l.status in ('ON', 'INACTIVE') and l.end_time <= clock_timestamp()
  order by l.end_time limit how_many
$$;
revoke all on function gateway.ended_listings(integer) from public;
grant execute on function gateway.ended_listings(integer) to mintmark_gateway;
