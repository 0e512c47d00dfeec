-- Counts the payer's transactions that were signed since p_since and reverted. A transaction does not count
-- if its payment was settled by another one, or if an operator cleared the payer's reverts later. Claims,
-- refunds and payouts of channels, whose domain is x402's contract, do not count: their payer is the seller,
-- who has signed nothing, so that every account could block it.
create or replace function facilitator.payer_reverts(p_payer text, p_since timestamptz) returns bigint
language sql stable as $$
  select count(*) from facilitator.transactions t
  where t.succeeded = false and t.payer = p_payer
    and t.domain is distinct from '0x4020074e9df2ce1dee5a9c1b5c3f541d02a10003' and t.created_at > greatest(p_since, (select c.cleared_at
      from facilitator.revert_clearances c where c.subject = 'payer/' || p_payer))
    and not exists (select from facilitator.settlements s where s.id = t.settlement_id::bigint and s.state = 'settled')
$$;
