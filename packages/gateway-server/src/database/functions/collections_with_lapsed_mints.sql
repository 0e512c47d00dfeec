-- Lists collections of all projects with expired reservations that have no signature. See claim_due_orders.
create or replace function gateway.collections_with_lapsed_mints(how_many integer)
returns table (project_id bigint, collection_id bigint, program text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select c.project_id, c.id, c.program from gateway.mint_collections c
  where (c.project_id, c.id) in (
    select r.project_id, r.collection_id from gateway.mint_reservations r
    where r.status = 'RESERVED' and r.order_id is null and r.expires_at <= statement_timestamp())
  order by c.project_id, c.id limit how_many
$$;
revoke all on function gateway.collections_with_lapsed_mints(integer) from public;
grant execute on function gateway.collections_with_lapsed_mints(integer) to mintmark_gateway;
