-- Records that times of rows have passed, for at most `how_many` rows of each table: the triggers then set
-- the next time of the row and store the change, which is reported as an event. Each time is recorded once,
-- by any number of processes. Rows that are locked are left for the next call.
create or replace function gateway.pass_times(how_many integer) returns bigint
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  name text;
  passed bigint;
  total bigint := 0;
begin
  foreach name in array array['auctions', 'cards', 'coupons', 'lazy_nfts', 'listings', 'mint_phases'] loop
    execute format('
      update gateway.%1$I t set time_passed_at = t.time_due_at
      from (
        select d.project_id, d.id from gateway.%1$I d where d.time_due_at <= clock_timestamp()
        order by d.time_due_at limit %2$s for update skip locked) due
      where t.project_id = due.project_id and t.id = due.id', name, how_many);
    get diagnostics passed = row_count;
    total := total + passed;
  end loop;
  return total;
end $$;
revoke all on function gateway.pass_times(integer) from public;
