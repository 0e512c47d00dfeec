-- Reads what decides whether payments could be settled now. The arrays have one element per payment. For each
-- payment, returns whether its account is frozen, has the price and has a quota for it, whether the payer or
-- the account had too many reverts, an upper bound of what the payer has in flight (null if that is many
-- payments), the payment's settlement, if it has one, and whether the payer's identifier belongs to another
-- payment that was or may still be executed. A limit of 0 means no limit.
--
-- The settings exclude scans and hash joins, and scalar subqueries replace `exists`, as in
-- reserve_settlements.
create or replace function facilitator.read_payment_status(p_accounts bigint[], p_networks text[], p_assets text[],
  p_domains text[],
  p_payers text[], p_nonces text[], p_price numeric, p_revert_window interval, p_payer_limit bigint, p_account_limit bigint,
  p_identifiers text[])
returns table (place bigint, frozen boolean, funded boolean, allowed boolean, reverted boolean, in_flight numeric,
  account_id bigint, fingerprint text, state text, reason text, idempotency_key text, identifier text,
  delivered boolean, identifier_used boolean)
language plpgsql stable set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off
set plan_cache_mode to force_generic_plan as $$
declare
  epoch numeric := extract(epoch from clock_timestamp());
  since timestamptz := statement_timestamp() - p_revert_window;
  any_reverts boolean := (p_payer_limit > 0 or p_account_limit > 0) and (exists (select from facilitator.transactions t
    where t.succeeded = false and t.created_at > since)
    -- Transactions that changed nothing, see account_reverts.
    or exists (select from facilitator.settlements s
    where s.state = 'failed' and s.reverts_count_for = 'account' and s.ended_at > since)
    or exists (select from facilitator.settlements s
    where s.state = 'unknown' and s.reverts_count_for = 'account'));
begin
  return query
    select i.place, a.frozen_at is not null, a.available >= p_price,
      exists (select from facilitator.payer_quotas q
        where q.account_id = a.id and q.ended_at is null and q.limit_amount - q.used >= p_price
          and epoch >= q.valid_after and epoch < q.valid_before),
      case when any_reverts then (p_payer_limit > 0 and facilitator.payer_reverts(i.payer, since) >= p_payer_limit)
          or (p_account_limit > 0 and facilitator.account_reverts(a.id, since) >= p_account_limit)
        else false end,
      -- Most payers have nothing in flight, and few have much: the amounts of many payments are not added up.
      case when recent.payments = 0 then 0
        when recent.payments <= 32
          then facilitator.amount_in_flight(i.network, i.asset, i.payer, null, interval '1 day') end,
      s.account_id, s.fingerprint, s.state, s.reason, s.idempotency_key, s.payment_identifier,
      s.delivered_at is not null and (s.delivered_to = any (s.undelivered_to)) is not true,
      coalesce((select true from facilitator.settlements o
        where o.payment_identifier = i.identifier and o.account_id = i.account_id and o.payer = i.payer
          and o.state in ('sent', 'unknown', 'settled')
          and (o.nonce, o.domain, o.network) <> (i.nonce, i.domain, i.network) limit 1), false)
    from unnest(p_accounts, p_networks, p_assets, p_domains, p_payers, p_nonces, p_identifiers) with ordinality
      as i (account_id, network, asset, domain, payer, nonce, identifier, place)
    join facilitator.accounts a on a.id = i.account_id
    cross join lateral (select count(*) as payments from (select from facilitator.settlements f
      where f.network = i.network and f.asset = i.asset and f.payer = i.payer and f.final_at is null
        and f.state in ('sent', 'unknown', 'settled')
        and (f.ended_at is null or f.ended_at > statement_timestamp() - interval '60 seconds') limit 33) f) recent
    left join facilitator.settlements s
      on s.nonce = i.nonce and s.payer = i.payer and s.domain = i.domain and s.network = i.network;
end $$;
