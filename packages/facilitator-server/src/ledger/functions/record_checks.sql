-- Records checks of settlements that changed no state: the time of the next check (null: nothing is left to
-- find out), and the block of a settled payment. A row that its reconciler no longer owns stays unchanged.
-- Locks settlements by id.
create or replace function facilitator.record_checks(p_items jsonb) returns setof bigint
language plpgsql set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off as $$
begin
  -- A check that a crash of PostgreSQL loses is made again. Its commit does not wait for the disk.
  perform set_config('synchronous_commit', 'off', true);
  return query
    update facilitator.settlements s set
      lease_until = clock_timestamp() + make_interval(secs => i.lease_seconds),
      transaction = coalesce(i.transaction, s.transaction),
      block_number = coalesce(i.block_number, s.block_number),
      block_hash = coalesce(i.block_hash, s.block_hash),
      final_at = case when i.final then clock_timestamp() else s.final_at end
    from (select * from jsonb_to_recordset(p_items) as item (id bigint, attempt uuid, state text, lease_seconds float8,
      transaction text, block_number numeric, block_hash text, final boolean) order by item.id) i
    where s.id = i.id and s.attempt = i.attempt and s.state = i.state
    returning s.id;
end $$;
