-- Returns, by attempt, the items of a reservation that exceed what the payer has approved ('allowance'),
-- together with the payer's payments of the same domain in flight.
--
-- A payment with an approval for itself only (own_allowance) replaces what the payer has approved. It takes all
-- of any allowance (1e78), and is reserved only while no other payment of the payer is in flight. Items
-- without an allowance are not checked.
--
-- The caller has locked the payers. The settings exclude scans and hash joins, as in reserve_settlements.
create or replace function facilitator.refuse_for_allowances(p_items facilitator.requested_settlement[])
returns jsonb
language plpgsql set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off
set plan_cache_mode to force_generic_plan as $$
begin
  return (
    with item as (
      select i.attempt, i.network, i.asset, i.payer, i.domain, i.nonce, i.at_block, i.read_age_ms, i.own_allowance,
        case when i.own_allowance then 1e78 else i.amount end as amount,
        case when i.own_allowance then 1e78 else i.allowance end as allowance,
        row_number() over (partition by i.nonce, i.payer, i.domain, i.network order by i.attempt) as occurrence
      from unnest(p_items) as i
      where (i.own_allowance or i.allowance is not null)
        -- The existing settlement of a payment is the response to it, as in refuse_for_payers.
        and not coalesce((select s.state in ('sent', 'unknown', 'settled', 'failed') from facilitator.settlements s
          where s.network = i.network and s.domain = i.domain and s.payer = i.payer and s.nonce = i.nonce), false)
    ), requested as (
      select item.*,
        -- Small amounts first, so that the refusal of a large one refuses none of them.
        sum(item.amount) filter (where item.occurrence = 1) over (partition by item.network, item.asset, item.payer,
          item.domain order by item.amount, item.nonce, item.occurrence) as total,
        -- 1 is the newest reading of what the payer has approved.
        row_number() over (partition by item.network, item.asset, item.payer, item.domain
          order by item.own_allowance, item.at_block desc nulls last, item.read_age_ms) as reading
      from item
    ), payers as (
      select r.network, r.asset, r.payer, r.domain, array_agg(r.attempt) as attempts, array_agg(r.total) as totals,
        max(r.allowance) filter (where r.reading = 1) as allowance, max(r.at_block) filter (where r.reading = 1) as at_block,
        max(r.read_age_ms) filter (where r.reading = 1) as read_age_ms
      from requested r group by r.network, r.asset, r.payer, r.domain
    ), payer_status as materialized (
      select p.attempts, p.totals, p.allowance - facilitator.amount_in_flight(p.network, p.asset, p.payer, p.at_block,
        make_interval(secs => p.read_age_ms / 1000), p.domain) as uncommitted
      from payers p
    )
    select coalesce(jsonb_object_agg(request.attempt, 'allowance'), '{}')
    from payer_status p cross join lateral unnest(p.attempts, p.totals) as request (attempt, total)
    where request.total > p.uncommitted);
end $$;
