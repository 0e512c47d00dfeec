-- Returns mint reservations that are due to be read from their chains, and postpones them by the lease. See
-- claim_due_orders.
create or replace function gateway.claim_due_mints(how_many integer, lease interval)
returns table (project_id bigint, reservation_id bigint)
language sql security definer set search_path = pg_catalog, pg_temp as $$
  with claimed as (
    update gateway.mint_reservations m set due_at = clock_timestamp() + lease
    from (
      select d.project_id, d.id from gateway.mint_reservations d where d.due_at <= clock_timestamp()
      order by d.due_at limit how_many for update skip locked
    ) due
    where m.project_id = due.project_id and m.id = due.id
    returning m.project_id, m.id
  )
  select * from claimed order by 1, 2
$$;
revoke all on function gateway.claim_due_mints(integer, interval) from public;
grant execute on function gateway.claim_due_mints(integer, interval) to mintmark_gateway;
