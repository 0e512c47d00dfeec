-- Deletes the segments of all lists of a project, for example because triggers were turned off. The next
-- caller of a long list requests them again. Waits for the job's transaction, whose new segments a delete
-- without the lock would not see. Returns the number of deleted segments.
create or replace function gateway.delete_list_segments(project bigint) returns bigint
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  deleted bigint;
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise 'Segments can be deleted only in a transaction with isolation level read committed';
  end if;
  lock table gateway.list_segments in share row exclusive mode;
  delete from gateway.list_segments where project_id = project;
  get diagnostics deleted = row_count;
  return deleted;
end $$;
revoke all on function gateway.delete_list_segments(bigint) from public;
