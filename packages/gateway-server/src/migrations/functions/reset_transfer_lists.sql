-- Has the job count a project's lists of transfers again after an indexed contract was registered or removed,
-- whose transfers it has or loses. Other transactions may write transfers of the contract at the same time,
-- so that they cannot be counted here. A transaction with an old snapshot does not see which lists have
-- segments.
create or replace function gateway.reset_transfer_lists() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off as $$
declare
  project constant bigint := case tg_op when 'DELETE' then old.project_id else new.project_id end;
begin
  insert into gateway.list_segment_resets (project_id, relation)
    select project, 'transfer_history'
    where current_setting('transaction_isolation') <> 'read committed' or exists (
      select from gateway.list_segments s where s.project_id = project and s.relation = 'transfer_history' and s.start = 0 offset 0);
  return null;
end $$;

create or replace trigger reset_inserted after insert on gateway.contracts
  for each row when (new.indexed and not new.deleted) execute function gateway.reset_transfer_lists();
create or replace trigger reset_deleted after delete on gateway.contracts
  for each row when (old.indexed and not old.deleted) execute function gateway.reset_transfer_lists();
create or replace trigger reset_updated after update of chain_id, nft_address, indexed, deleted on gateway.contracts
  for each row when ((old.chain_id, old.nft_address, old.indexed and not old.deleted)
    is distinct from (new.chain_id, new.nft_address, new.indexed and not new.deleted)) execute function gateway.reset_transfer_lists();
