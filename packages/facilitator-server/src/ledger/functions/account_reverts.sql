-- Counts the transactions of the account's settlements that were signed since p_since and reverted, and those
-- of settlements that count for the account and were mined since p_since and changed nothing: they cost gas
-- as well, and are not charged. They count as soon as they are mined, while their settlements are unknown
-- until the block is final. A transaction does not count if its payment was settled by another one, or if an operator
-- cleared the account's reverts later.
create or replace function facilitator.account_reverts(p_account bigint, p_since timestamptz) returns bigint
language sql stable as $$
  with since as materialized (select greatest(p_since, (select c.cleared_at
      from facilitator.revert_clearances c where c.subject = 'account/' || p_account)) as at)
  select (
    select count(*) from facilitator.transactions t join facilitator.settlements s on s.id = t.settlement_id
    where t.succeeded = false and t.created_at > (select at from since) and s.account_id = p_account and s.state <> 'settled'
  ) + (
    select count(*) from (
      select f.id from facilitator.settlements f where f.state = 'failed' and f.reverts_count_for = 'account'
        and f.ended_at > (select at from since) and f.account_id = p_account
      union all
      select u.id from facilitator.settlements u where u.state = 'unknown' and u.reverts_count_for = 'account'
        and u.account_id = p_account
    ) s join facilitator.transactions t on t.settlement_id = s.id
    where t.succeeded and t.mined_at > (select at from since)
  )
$$;
