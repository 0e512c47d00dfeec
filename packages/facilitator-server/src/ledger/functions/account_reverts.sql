-- Counts the transactions of the account's settlements that were signed since p_since and reverted. A transaction does not
-- count if its payment was settled by another one, or if an operator cleared the account's reverts later.
create or replace function facilitator.account_reverts(p_account bigint, p_since timestamptz) returns bigint
language sql stable as $$
  select count(*) from facilitator.transactions t join facilitator.settlements s on s.id = t.settlement_id::bigint
  where t.succeeded = false and t.created_at > greatest(p_since, (select c.cleared_at
      from facilitator.revert_clearances c where c.subject = 'account/' || p_account)) and s.account_id = p_account and s.state <> 'settled'
$$;
