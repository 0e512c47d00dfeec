-- Records that times of rows have passed, for at most `how_many` rows of each table: the triggers then set
-- the next time of the row and store the change, which is reported as an event. Each time is recorded once,
-- by any number of processes. Rows that are locked are left for the next call.
--
-- With these settings it reads the times in the order of their indexes also in a table without statistics. A
-- condition with clock_timestamp(), which is volatile, could not limit an index.
create or replace function gateway.pass_times(how_many integer) returns bigint
language plpgsql set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  name text;
  passed bigint;
  total bigint := 0;
begin
  foreach name in array array['auctions', 'cards', 'coupons', 'listings', 'mint_phases', 'mintable_nfts'] loop
    execute format('
      update gateway.%1$I t set time_passed_at = t.time_due_at
      from (
        select d.project_id, d.id from gateway.%1$I d where d.time_due_at <= statement_timestamp()
        order by d.time_due_at limit %2$s for update skip locked) due
      where t.project_id = due.project_id and t.id = due.id', name, how_many);
    get diagnostics passed = row_count;
    total := total + passed;
  end loop;
  return total;
end $$;
revoke all on function gateway.pass_times(integer) from public;
