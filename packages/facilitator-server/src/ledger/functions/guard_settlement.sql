-- Refuses a change of a settlement's state that no rule allows. The trigger's condition lists the allowed
-- ones, because it costs less than a call of a function for every change.
create or replace function facilitator.guard_settlement() returns trigger language plpgsql as $$
begin
  raise exception 'A settlement cannot change from % to %', old.state, new.state using errcode = 'restrict_violation';
end $$;

-- A payment that was not sent can be sent later. A settled one becomes unknown when a reorganization removes
-- it from the chain. A failed one never changes.
create or replace trigger states before update of state on facilitator.settlements for each row
  when (old.state is distinct from new.state
    and (old.state = 'sent' and new.state in ('settled', 'failed', 'unknown', 'not_sent')
      or old.state = 'unknown' and new.state in ('settled', 'failed', 'not_sent')
      or old.state = 'settled' and new.state = 'unknown'
      or old.state = 'not_sent' and new.state = 'sent') is not true)
  execute function facilitator.guard_settlement();
