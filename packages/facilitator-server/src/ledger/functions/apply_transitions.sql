-- Applies transitions of settlements with their charges and ledger transfers. A transition is guarded by the attempt, the
-- state and the hold that its row must still have. Returns the rows that changed, as they are now.
--
-- The settings exclude scans and hash joins, as in reserve_settlements.
create or replace function facilitator.apply_transitions(p_items jsonb) returns setof facilitator.settlements
language plpgsql set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off as $$
begin
  return query
    with item as (
      select * from jsonb_to_recordset(p_items) as t (
        id bigint, attempt uuid, from_state text, from_hold text, state text, hold text, move text, debit text,
        credit text, cause text, transaction text, reason text, message text, upstream_status integer,
        upstream_responded boolean, block_number numeric, block_hash text, final boolean, reconciled boolean,
        deliver_to uuid, lease_seconds float8)
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
      returning s as settlement, i.move, i.debit, i.credit, i.cause
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
    )
    select (c.settlement).* from changed c;
end $$;
