-- Returns the age in seconds of the oldest order in each unfinished state, over all projects.
create or replace function gateway.oldest_unfinished_orders()
returns table (status smallint, seconds double precision)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select s.status, coalesce(extract(epoch from clock_timestamp() - (
    select o.created_at from gateway.orders o where o.status = s.status order by o.created_at limit 1
  )), 0)::double precision
  from (values (0::smallint), (1::smallint), (6::smallint)) s (status)
$$;
revoke all on function gateway.oldest_unfinished_orders() from public;
grant execute on function gateway.oldest_unfinished_orders() to mintmark_gateway;
