-- Applies transitions of settlements with their charges, ledger transfers, totals, returned prices and events. A
-- transition is guarded by the attempt, the state and the hold that its row must still have. Returns the rows
-- that changed, as they are now.
--
-- Locks settlements by id, then accounts and quotas (return_prices). A caller that lost its connection
-- repeats its transitions, perhaps in other batches, while the first statement may still run.
--
-- The settings exclude scans and hash joins, as in reserve_settlements.
create or replace function facilitator.apply_transitions(p_items facilitator.requested_transition[], p_enqueue jsonb)
returns setof facilitator.changed_settlement
language plpgsql set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off
set plan_cache_mode to force_generic_plan as $$
declare
  changed_rows facilitator.changed_settlement[];
  credits jsonb;
  event_subjects text[];
  event_types text[];
  event_accounts bigint[];
  event_data jsonb[];
begin
  with item as (
    select i.* from unnest(p_items) as i order by i.id
  ), changed as (
    update facilitator.settlements s set
      state = i.state,
      hold = i.hold,
      transaction = coalesce(i.transaction, s.transaction),
      reason = i.reason,
      message = i.message,
      upstream_status = coalesce(i.upstream_status, s.upstream_status),
      upstream_responded = s.upstream_responded or i.upstream_responded,
      block_number = i.block_number,
      block_hash = i.block_hash,
      final_at = case when i.final then clock_timestamp() end,
      reconciled = s.reconciled or i.reconciled,
      delivered_to = coalesce(s.delivered_to, i.deliver_to),
      delivered_at = coalesce(s.delivered_at, case when i.deliver_to is not null then clock_timestamp() end),
      lease_until = clock_timestamp() + make_interval(secs => i.lease_seconds),
      check_count = 0,
      ended_at = case when i.state in ('settled', 'failed') then clock_timestamp() end
    from item i
    where s.id = i.id and s.attempt = i.attempt and s.state = i.from_state and s.hold = i.from_hold
    returning s.id, s.account_id, s.quota_id, s.price, s.reservation, s.order_no, s.state, s.hold, s.payer, s.pay_to,
      s.network, s.asset, s.amount, s.transaction, s.upstream_status, s.reason, s.message, s.resource,
      s.refund_amount, s.refund_of,
      (s.created_at at time zone 'UTC')::date as day, i.move, i.debit, i.credit, i.cause, i.reconciled,
      (s.state = 'settled')::integer - (i.from_state = 'settled')::integer as settled,
      (s.state = 'failed')::integer - (i.from_state = 'failed')::integer as failed,
      (s.hold = 'captured')::integer - (i.from_hold = 'captured')::integer as captured
  ), charged as (
    insert into facilitator.charges (settlement_id, account_id, quota_id, amount, cause)
    select c.id, c.account_id, c.quota_id, c.price, c.cause from changed c where c.move = 'capture'
  ), transferred as (
    insert into facilitator.ledger_transfers (kind, debit, credit, amount, account_id, quota_id, settlement_id,
      reservation)
    select c.move, c.debit, c.credit, c.price, c.account_id, c.quota_id, c.id, c.reservation
    from changed c where c.move is not null
  ), totaled as (
    insert into facilitator.total_changes (account_id, day, network, asset, resource, settled, failed, amount, refunded,
      charged)
    select c.account_id, c.day, c.network, c.asset, c.resource, sum(c.settled), sum(c.failed),
      sum(c.settled * c.amount), sum(c.settled * coalesce(c.refund_amount, 0)), sum(c.captured * c.price)
    from changed c where (c.settled, c.failed, c.captured) <> (0, 0, 0)
    group by c.account_id, c.day, c.network, c.asset, c.resource
  ), described as (
    select c.id, c.account_id, c.state, c.reconciled, c.refund_of, c.refund_amount, jsonb_build_object(
      'orderNo', c.order_no,
      'status', c.state,
      'payer', c.payer,
      'payTo', c.pay_to,
      'network', c.network,
      'asset', c.asset,
      'amount', c.amount::text,
      'transaction', coalesce(c.transaction, ''),
      'price', c.price::text,
      'charged', c.hold = 'captured',
      'reason', coalesce(c.reason, '')) as data
    from changed c
  ), event as (
    -- The caller knows from the response that nothing was sent, and the payment can still be settled.
    select d.id, 1 as position, 'settlement.' || d.state as type, d.account_id, d.data from described d
      where d.state <> 'not_sent'
    union all
    select d.id, 2, 'settlement.reconciled', d.account_id, d.data from described d
      where d.reconciled and d.state <> 'unknown'
    union all
    select d.id, 3, 'payment.refunded', d.account_id, d.data - array['status', 'price', 'charged', 'reason']
      || jsonb_build_object('amount', d.refund_amount::text, 'nonce', d.refund_of) from described d
      where d.state = 'settled' and d.refund_of is not null
  ), ordered as (
    select 'settlement:' || e.id as subject, e.type, e.account_id, e.data from event e order by e.id, e.position
  ), events as (
    select array_agg(o.subject) as subjects, array_agg(o.type) as types, array_agg(o.account_id) as accounts,
      array_agg(o.data) as data from ordered o
  )
  select (select array_agg(row(c.id, c.state, c.hold, c.order_no, c.payer, c.amount, c.transaction, c.upstream_status,
      c.reason, c.message)::facilitator.changed_settlement) from changed c),
    (select jsonb_agg(jsonb_build_object('account_id', c.account_id, 'quota_id', c.quota_id, 'price', c.price))
      from changed c where c.move in ('release', 'refund')),
    e.subjects, e.types, e.accounts, e.data
    into changed_rows, credits, event_subjects, event_types, event_accounts, event_data from events e;

  if credits is not null then
    perform facilitator.return_prices(credits);
  end if;
  if event_subjects is not null then
    perform facilitator.record_events(event_subjects, event_types, event_accounts, event_data, p_enqueue);
  end if;
  return query select c.* from unnest(changed_rows) as c;
end $$;
