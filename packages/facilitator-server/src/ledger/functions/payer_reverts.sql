-- Counts the payer's transactions that were signed since p_since and reverted. A transaction does not count if its payment
-- was settled by another one.
create or replace function facilitator.payer_reverts(p_payer text, p_since timestamptz) returns bigint
language sql stable as $$
  select count(*) from facilitator.transactions t
  where t.succeeded = false and t.payer = p_payer and t.created_at > p_since
    and not exists (select from facilitator.settlements s where s.id = t.settlement_id::bigint and s.state = 'settled')
$$;
