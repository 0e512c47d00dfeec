-- Returns orders whose transactions are due to be read, and postpones them by the lease. The verifier serves
-- all projects, and the servers' role sees one at a time: this function runs as the schema's owner and
-- returns only ids, in order.
create or replace function gateway.claim_due_orders(how_many integer, lease interval)
returns table (project_id bigint, order_id bigint)
language sql security definer set search_path = pg_catalog, pg_temp as $$
  with claimed as (
    update gateway.orders o set due_at = clock_timestamp() + lease
    from (
      select d.project_id, d.id from gateway.orders d where d.due_at <= clock_timestamp()
      order by d.due_at limit how_many for update skip locked
    ) due
    where o.project_id = due.project_id and o.id = due.id
    returning o.project_id, o.id
  )
  select * from claimed order by 1, 2
$$;
revoke all on function gateway.claim_due_orders(integer, interval) from public;
grant execute on function gateway.claim_due_orders(integer, interval) to mintmark_gateway;
