-- Counts the payer's transactions that were signed since p_since and reverted. A transaction does not count
-- if its payment was settled by another one, if its reverts count for the account only, or if an operator
-- cleared the payer's reverts later.
create or replace function facilitator.payer_reverts(p_payer text, p_since timestamptz) returns bigint
language sql stable as $$
  select count(*) from facilitator.transactions t join facilitator.settlements s on s.id = t.settlement_id
  where t.succeeded = false and t.payer = p_payer
    and t.created_at > greatest(p_since, (select c.cleared_at
      from facilitator.revert_clearances c where c.subject = 'payer/' || p_payer))
    and s.state <> 'settled' and s.reverts_count_for = 'payer'
$$;
