-- Applies transitions of settlements with their charges, ledger transfers, returned prices and events. A transition is guarded
-- by the attempt, the state and the hold that its row must still have. Returns the rows that changed, as they are now.
--
-- Locks settlements by id, then accounts and quotas (return_prices). A caller that lost its connection repeats its transitions,
-- perhaps in other batches, while the first statement may still run.
--
-- The settings exclude scans and hash joins, as in reserve_settlements.
create or replace function facilitator.apply_transitions(p_items jsonb, p_enqueue jsonb) returns setof facilitator.settlements
language plpgsql set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off as $$
declare
  settlements facilitator.settlements[];
  credits jsonb;
  events jsonb;
begin
  with item as (
    select * from jsonb_to_recordset(p_items) as t (
      id bigint, attempt uuid, from_state text, from_hold text, state text, hold text, move text, debit text,
      credit text, cause text, transaction text, reason text, message text, upstream_status integer,
      upstream_responded boolean, block_number numeric, block_hash text, final boolean, reconciled boolean,
      deliver_to uuid, lease_seconds float8)
    order by id
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
    returning s as settlement, i.move, i.debit, i.credit, i.cause, i.reconciled
  ), charged as (
    insert into facilitator.charges (settlement_id, account_id, quota_id, amount, cause)
    select (c.settlement).id, (c.settlement).account_id, (c.settlement).quota_id, (c.settlement).price, c.cause
    from changed c where c.move = 'capture'
  ), transferred as (
    insert into facilitator.ledger_transfers (kind, debit, credit, amount, account_id, quota_id, settlement_id,
      reservation)
    select c.move, c.debit, c.credit, (c.settlement).price, (c.settlement).account_id, (c.settlement).quota_id,
      (c.settlement).id, (c.settlement).reservation
    from changed c where c.move is not null
  ), event as (
    select (c.settlement).id, e.position, jsonb_build_object(
      'subject', 'settlement:' || (c.settlement).id,
      'type', e.type,
      'account', (c.settlement).account_id,
      'data', facilitator.settlement_event_data(c.settlement)) as event
    from changed c cross join lateral (values
      -- The caller knows from the response that nothing was sent, and the payment can still be settled.
      (1, case when (c.settlement).state <> 'not_sent' then 'settlement.' || (c.settlement).state end),
      (2, case when c.reconciled and (c.settlement).state <> 'unknown' then 'settlement.reconciled' end)
    ) as e (position, type)
    where e.type is not null
  )
  select array_agg(c.settlement),
    jsonb_agg(jsonb_build_object('account_id', (c.settlement).account_id, 'quota_id', (c.settlement).quota_id,
      'price', (c.settlement).price)) filter (where c.move in ('release', 'refund')),
    (select jsonb_agg(e.event order by e.id, e.position) from event e)
    into settlements, credits, events from changed c;

  if credits is not null then
    perform facilitator.return_prices(credits);
  end if;
  if events is not null then
    perform facilitator.record_events(events, p_enqueue);
  end if;
  return query select * from unnest(settlements);
end $$;
