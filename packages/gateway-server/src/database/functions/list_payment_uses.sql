-- Returns the orders of all projects that count a payment. The servers' role sees one project at a time: this
-- function runs as the schema's owner and returns only ids.
create or replace function gateway.list_payment_uses(chain text, payment text)
returns table (project_id bigint, order_id bigint)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select c.project_id, c.order_id from gateway.consumed_payments c
  where c.chain_id = chain and c.hash = payment
  order by c.consumed_at, c.project_id
$$;
revoke all on function gateway.list_payment_uses(text, text) from public;
grant execute on function gateway.list_payment_uses(text, text) to mintmark_gateway;
