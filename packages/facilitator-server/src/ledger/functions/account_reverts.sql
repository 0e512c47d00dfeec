-- Counts the transactions of the account's settlements that were signed since p_since and reverted. A transaction does not
-- count if its payment was settled by another one.
create or replace function facilitator.account_reverts(p_account bigint, p_since timestamptz) returns bigint
language sql stable as $$
  select count(*) from facilitator.transactions t join facilitator.settlements s on s.id = t.settlement_id::bigint
  where t.succeeded = false and t.created_at > p_since and s.account_id = p_account and s.state <> 'settled'
$$;
