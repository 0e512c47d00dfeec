-- Counts the payments that an order counted lately and an order of another project counts as well.
-- An index finds them by their time, whatever the statistics say: see pass_times.
create or replace function gateway.count_shared_payments(lately interval)
returns bigint
language sql stable security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
  select count(distinct (c.chain_id, c.hash)) from gateway.consumed_payments c
  where c.consumed_at > statement_timestamp() - lately
    and exists (
      select from gateway.consumed_payments o
      where o.chain_id = c.chain_id and o.hash = c.hash and o.project_id <> c.project_id)
$$;
revoke all on function gateway.count_shared_payments(interval) from public;
grant execute on function gateway.count_shared_payments(interval) to mintmark_gateway;
