-- Returns, by attempt, why items of a reservation are refused: the payer's balance does not cover them
-- together with what is in flight ('funds'), or the payer or the account had too many reverts ('reverts'). A
-- limit of 0 means no limit. The caller has locked the accounts. This function locks the payers.
--
-- The settings exclude scans and hash joins, and scalar subqueries replace `exists`, as in
-- reserve_settlements.
create or replace function facilitator.refuse_for_payers(p_items facilitator.requested_settlement[], p_revert_window interval,
  p_payer_limit bigint, p_account_limit bigint) returns jsonb
language plpgsql set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off
set plan_cache_mode to force_generic_plan as $$
declare
  since timestamptz := statement_timestamp() - p_revert_window;
  any_reverts boolean;
  refused_accounts bigint[] := '{}';
  refused jsonb;
  any_balances boolean := exists (select from unnest(p_items) as i where i.balance is not null);
begin
  -- Locks existing rows too, which "do nothing" would not.
  insert into facilitator.payer_locks as held (network, asset, payer)
  select distinct i.network, i.asset, i.payer
  from unnest(p_items) as i
  where i.balance is not null order by i.network, i.asset, i.payer
  on conflict (network, asset, payer) do update set payer = excluded.payer where false;

  any_reverts := (p_payer_limit > 0 or p_account_limit > 0) and (exists (select from facilitator.transactions t
    where t.succeeded = false and t.created_at > since)
    -- Transactions that changed nothing, see account_reverts.
    or exists (select from facilitator.settlements s
    where s.state = 'failed' and s.reverts_count_for = 'account' and s.ended_at > since)
    or exists (select from facilitator.settlements s
    where s.state = 'unknown' and s.reverts_count_for = 'account'));
  if not any_balances and not any_reverts then
    return '{}';
  end if;
  if any_reverts and p_account_limit > 0 then
    select coalesce(array_agg(a.id), '{}') into refused_accounts
      from (select distinct i.account_id as id from unnest(p_items) as i) a
      where facilitator.account_reverts(a.id, since) >= p_account_limit;
  end if;

  with item as (
    select i.attempt, i.account_id, i.network, i.asset, i.payer, i.nonce, i.amount, i.balance, i.at_block, i.read_age_ms,
      i.reverts_count_for,
      row_number() over (partition by i.nonce, i.payer, i.domain, i.network order by i.attempt) as occurrence
    from unnest(p_items) as i
    -- The existing settlement of a payment is the response to it, and its amount is already in flight. A
    -- scalar subquery, so that the condition on the state cannot choose another index than that of the
    -- payment's key.
    where not coalesce((select s.state in ('sent', 'unknown', 'settled', 'failed') from facilitator.settlements s
      where s.network = i.network and s.domain = i.domain and s.payer = i.payer and s.nonce = i.nonce), false)
  ), requested as (
    select item.*,
      -- Small amounts first, so that the refusal of a large one refuses none of them.
      sum(item.amount) filter (where item.occurrence = 1) over (partition by item.network, item.asset, item.payer
        order by item.amount, item.nonce, item.occurrence) as total,
      -- 1 is the newest reading of the payer's balance.
      row_number() over (partition by item.network, item.asset, item.payer
        order by item.at_block desc nulls last, item.read_age_ms) as reading
    from item
  ), payers as (
    select r.network, r.asset, r.payer, array_agg(r.attempt) as attempts, array_agg(r.total) as totals,
      array_agg(r.account_id) as account_ids, array_agg(r.reverts_count_for) as counted,
      max(r.balance) filter (where r.reading = 1) as balance, max(r.at_block) filter (where r.reading = 1) as at_block,
      max(r.read_age_ms) filter (where r.reading = 1) as read_age_ms
    from requested r group by r.network, r.asset, r.payer
  ), payer_status as materialized (
    -- Most payers have nothing in flight and no reverts: the functions are called for the others only.
    select p.attempts, p.totals, p.account_ids, p.counted,
      p.balance - case when p.balance is not null and (select true from facilitator.settlements s
          where s.network = p.network and s.asset = p.asset and s.payer = p.payer and s.final_at is null
            and s.state in ('sent', 'unknown', 'settled')
            and (s.ended_at is null or s.ended_at > statement_timestamp() - interval '60 seconds') limit 1)
        then facilitator.amount_in_flight(p.network, p.asset, p.payer, p.at_block,
          make_interval(secs => p.read_age_ms / 1000))
        else 0 end as uncommitted,
      case when any_reverts and p_payer_limit > 0
        then facilitator.payer_reverts(p.payer, since) >= p_payer_limit else false end as reverts
    from payers p
  ), evaluated as (
    select request.attempt, case
      -- A payer has not requested what counts for the account, and must not be able to prevent it.
      when p.reverts and request.counted is distinct from 'account'
        or request.account_id = any (refused_accounts) then 'reverts'
      when request.total > p.uncommitted then 'funds' end as cause
    from payer_status p
      cross join lateral unnest(p.attempts, p.totals, p.account_ids, p.counted)
        as request (attempt, total, account_id, counted)
  )
  select coalesce(jsonb_object_agg(evaluated.attempt, evaluated.cause), '{}') into refused
  from evaluated where evaluated.cause is not null;
  return refused;
end $$;
