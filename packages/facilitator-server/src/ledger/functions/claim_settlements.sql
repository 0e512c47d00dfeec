-- Claims settlements on p_networks whose lease has ended by p_due_by, the longest overdue first: of one group,
-- or the one with the id p_only. A `sent` one has lost its call and becomes unknown. Returns the claimed rows,
-- as they are now, in the order of their ids.
--
-- p_group is `unfinished` (sent or unknown), `unlocated` (settled, in no known block) or `located` (settled,
-- in a known block).
create or replace function facilitator.claim_settlements(p_attempt uuid, p_group text, p_only bigint, p_networks text[],
  p_due_by timestamptz, p_lease interval, p_limit integer, p_enqueue jsonb) returns setof facilitator.settlements
language plpgsql set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off as $$
declare
  claimed_ids bigint[];
  interrupted facilitator.requested_transition[];
begin
  with claimed as (
    update facilitator.settlements c set attempt = p_attempt, check_count = c.check_count + 1,
      lease_until = clock_timestamp() + p_lease
    where c.id in (
      select s.id from facilitator.settlements s
      where s.lease_until <= least(clock_timestamp(), p_due_by)
        and (p_only is null or s.id = p_only)
        -- Not `= any`, which could choose an index that begins with the network and read all settlements.
        and p_networks @> array[s.network]
        and (p_group is null or p_group = case when s.state <> 'settled' then 'unfinished'
          when s.block_hash is null then 'unlocated' else 'located' end)
      order by s.lease_until limit p_limit for no key update skip locked
    )
    returning c.id, c.state, c.hold
  )
  select array_agg(c.id order by c.id), array_agg(jsonb_populate_record(null::facilitator.requested_transition, jsonb_build_object(
      'id', c.id, 'attempt', p_attempt, 'from_state', c.state, 'from_hold', c.hold, 'state', 'unknown', 'hold', c.hold,
      'reason', 'interrupted', 'upstream_responded', false, 'final', false, 'reconciled', false,
      'lease_seconds', extract(epoch from p_lease))) order by c.id) filter (where c.state = 'sent')
    into claimed_ids, interrupted from claimed c;

  if interrupted is null then
    -- A claim that a crash of PostgreSQL loses is made again. Its commit does not wait for the disk.
    perform set_config('synchronous_commit', 'off', true);
  else
    perform facilitator.apply_transitions(interrupted, p_enqueue);
  end if;
  return query select s.* from facilitator.settlements s where s.id = any (claimed_ids) order by s.id;
end $$;
