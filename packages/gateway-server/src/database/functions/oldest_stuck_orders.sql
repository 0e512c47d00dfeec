-- Returns the age in seconds of the oldest order of each kind that needs a person beside the unfinished ones,
-- over all projects; 0 for none.
create or replace function gateway.oldest_stuck_orders()
returns table (kind text, seconds double precision)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select s.kind, coalesce(extract(epoch from clock_timestamp() - s.since), 0)::double precision
  from (values
    -- since the order changed last
    ('refund', (select o.updated_at from gateway.orders o where o.refund_due order by o.updated_at limit 1)),
    -- an order of an indexed token that the seller has not transferred
    ('delivery', (
      select o.created_at from gateway.orders o
      where o.delivery = 'pending' and o.phase_id is null and o.status in (2, 3) order by o.created_at limit 1)),
    -- an order that ended unpaid although a transaction concerns it
    ('payment', (
      select p.reported_at from gateway.order_payments p
      join gateway.orders o on o.project_id = p.project_id and o.id = p.order_id
      where p.outcome not in ('', 'paid', 'reverted', 'unrelated', 'refunded', 'dismissed') and o.status in (3, 4, 5)
      order by p.reported_at limit 1))
  ) s (kind, since)
$$;
revoke all on function gateway.oldest_stuck_orders() from public;
grant execute on function gateway.oldest_stuck_orders() to mintmark_gateway;
