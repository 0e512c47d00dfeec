-- Lists collections of all projects with expired reservations that have no signature. See claim_due_orders.
create or replace function gateway.collections_with_lapsed_mints(how_many integer)
returns table (project_id bigint, collection_id bigint)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select distinct r.project_id, r.collection_id from gateway.mint_reservations r
  where r.status = 'RESERVED' and r.order_id is null and r.expires_at <= statement_timestamp()
  order by r.project_id, r.collection_id limit how_many
$$;
revoke all on function gateway.collections_with_lapsed_mints(integer) from public;
grant execute on function gateway.collections_with_lapsed_mints(integer) to mintmark_gateway;
