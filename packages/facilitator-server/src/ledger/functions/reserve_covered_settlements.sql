-- Reserves like reserve_settlements, except payments that the payer's balance does not cover together with what is in flight
-- ('funds'), and payments of payers and accounts with too many reverts ('reverts'). A limit of 0 means no limit. Every
-- transaction locks the payers before the account.
create or replace function facilitator.reserve_covered_settlements(p_account bigint, p_price numeric, p_lease interval,
  p_items jsonb, p_revert_window interval, p_payer_limit bigint, p_account_limit bigint)
returns table (attempt uuid, settlement_id bigint, granted boolean, newly_reserved boolean, shortage text,
               available numeric, remaining numeric, quota_limit numeric, quota_nonce numeric)
language plpgsql set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off as $$
declare
  since timestamptz := statement_timestamp() - p_revert_window;
  any_reverts boolean;
  account_refused boolean;
  refused jsonb;
  covered jsonb;
begin
  -- Locks existing rows too, which "do nothing" would not.
  insert into facilitator.payer_locks as held (network, asset, payer)
  select distinct i.network, i.asset, i.payer
  from jsonb_to_recordset(p_items) as i (network text, asset text, payer text, balance numeric)
  where i.balance is not null order by i.network, i.asset, i.payer
  on conflict (network, asset, payer) do update set payer = excluded.payer where false;

  any_reverts := p_payer_limit > 0 and exists (select from facilitator.transactions t
    where t.succeeded = false and t.created_at > since);
  account_refused := p_account_limit > 0 and facilitator.account_reverts(p_account, since) >= p_account_limit;
  with item as (
    select i.*, row_number() over (partition by i.network, i.domain, i.payer, i.nonce order by i.attempt) as occurrence
    from jsonb_to_recordset(p_items) as i (attempt uuid, network text, domain text, asset text, payer text, nonce text,
      amount numeric, balance numeric, at_block numeric, read_age_ms float8)
    -- The existing settlement of a payment is the response to it, and its amount is already in flight. A scalar subquery,
    -- so that the condition on the state cannot choose another index than that of the payment's key.
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
      max(r.balance) filter (where r.reading = 1) as balance, max(r.at_block) filter (where r.reading = 1) as at_block,
      max(r.read_age_ms) filter (where r.reading = 1) as read_age_ms
    from requested r group by r.network, r.asset, r.payer
  ), payer_status as materialized (
    -- Most payers have nothing in flight and no reverts: the functions are called for the others only.
    select p.attempts, p.totals,
      p.balance - case when p.balance is not null and exists (select from facilitator.settlements s
          where s.network = p.network and s.asset = p.asset and s.payer = p.payer and s.final_at is null
            and s.state in ('sent', 'unknown', 'settled')
            and (s.ended_at is null or s.ended_at > statement_timestamp() - interval '60 seconds'))
        then facilitator.amount_in_flight(p.network, p.asset, p.payer, p.at_block,
          make_interval(secs => p.read_age_ms / 1000))
        else 0 end as uncommitted,
      case when any_reverts then facilitator.payer_reverts(p.payer, since) >= p_payer_limit else false end as reverts
    from payers p
  ), evaluated as (
    select request.attempt, case
      when p.reverts or account_refused then 'reverts'
      when request.total > p.uncommitted then 'funds' end as cause
    from payer_status p cross join lateral unnest(p.attempts, p.totals) as request (attempt, total)
  )
  select coalesce(jsonb_object_agg(evaluated.attempt, evaluated.cause), '{}') into refused
  from evaluated where evaluated.cause is not null;

  if refused = '{}' then
    return query select * from facilitator.reserve_settlements(p_account, p_price, p_lease, p_items);
    return;
  end if;
  select jsonb_agg(each.item) into covered from jsonb_array_elements(p_items) as each (item)
    where not refused ? (each.item ->> 'attempt');
  if covered is not null then
    return query select * from facilitator.reserve_settlements(p_account, p_price, p_lease, covered);
  end if;
  return query select r.key::uuid, null::bigint, false, false, r.value, null::numeric, null::numeric, null::numeric,
    null::numeric from jsonb_each_text(refused) r;
end $$;
