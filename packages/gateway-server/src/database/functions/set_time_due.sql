-- Sets the next time at which a row changes by itself. The arguments of the trigger are the columns of such
-- times. A time that was moved from the future to the past is due at once. `timed-tables.ts` creates the
-- triggers.
create or replace function gateway.set_time_due() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  new_row constant jsonb := to_jsonb(new);
  old_row constant jsonb := case when tg_op = 'UPDATE' then to_jsonb(old) end;
  old_due constant timestamptz := old_row ->> 'time_due_at';
  is_passing constant boolean := old_row ->> 'time_passed_at' is distinct from new_row ->> 'time_passed_at';
  name text;
  new_time timestamptz;
  old_time timestamptz;
begin
  new.time_due_at := null;
  foreach name in array tg_argv loop
    new_time := new_row ->> name;
    old_time := old_row ->> name;
    if new_time > clock_timestamp() or old_time > old_due or (old_time = old_due and not is_passing) then
      new.time_due_at := least(new.time_due_at, new_time);
    end if;
  end loop;
  return new;
end $$;
