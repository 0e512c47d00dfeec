-- Returns, by attempt, the items of a reservation whose payer's identifier belongs to another payment that
-- was or may still be executed ('identifier'). The caller has locked the accounts, so that no other transaction
-- can reserve an identifier of theirs.
--
-- The settings exclude scans and hash joins, as in reserve_settlements. A scalar subquery is neither joined
-- nor hashed, unlike `exists`, which a plan for a small table turns into a scan of an index.
create or replace function facilitator.refuse_for_identifiers(p_items facilitator.requested_settlement[])
returns jsonb
language plpgsql stable set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off
set plan_cache_mode to force_generic_plan as $$
begin
  return (
    select coalesce(jsonb_object_agg(i.attempt, 'identifier'), '{}')
    from unnest(p_items) as i
    where (select true from facilitator.settlements o
        where o.payment_identifier = i.payment_identifier and o.account_id = i.account_id
          and o.payer = i.payer and o.state in ('sent', 'unknown', 'settled')
          and (o.nonce, o.domain, o.network) <> (i.nonce, i.domain, i.network) limit 1)
      -- The existing settlement of a payment is the response to it.
      and not coalesce((select s.state in ('sent', 'unknown', 'settled', 'failed') from facilitator.settlements s
        where s.network = i.network and s.domain = i.domain and s.payer = i.payer and s.nonce = i.nonce), false));
end $$;
