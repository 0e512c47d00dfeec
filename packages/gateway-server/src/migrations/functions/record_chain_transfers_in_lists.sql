-- Records the transfers of indexed contracts that a statement inserted, or deleted after a reorganization,
-- for each project that registered the contract and has lists of transfers with segments. A transaction with
-- an old snapshot would not see all of these projects.
create or replace function gateway.record_chain_transfers_in_lists() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off as $$
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise 'Transfers of chains can be changed only in a transaction with isolation level read committed';
  end if;
  insert into gateway.list_segment_changes (project_id, relation, field, value, key, change)
    with contract as materialized (
      select c.project_id, c.chain_id, c.nft_address
      from (select distinct chain_id, nft_address from changed) as changed_contract
      join gateway.contracts c on c.chain_id = changed_contract.chain_id and c.nft_address = changed_contract.nft_address
        and c.indexed and not c.deleted
      where exists (
        select from gateway.list_segments s where s.project_id = c.project_id and s.relation = 'transfer_history' and s.start = 0 offset 0)
    )
    select contract.project_id, 'transfer_history', list.field, list.value, t.id, case tg_op when 'INSERT' then 1 else -1 end
    from contract
    join changed t on t.chain_id = contract.chain_id and t.nft_address = contract.nft_address
    cross join lateral (values
      ('', ''), ('nft_address', t.nft_address), ('nft_address,nft_id', json_build_array(t.nft_address, t.nft_id)::text),
      ('address', t.from_address), ('address', nullif(t.to_address, t.from_address))) as list (field, value)
    where octet_length(list.value) <= 1000 and exists (
      select from gateway.list_segments s
      where s.project_id = contract.project_id and s.relation = 'transfer_history' and s.field = list.field and s.value = list.value and s.start = 0
      offset 0);
  return null;
end $$;

create or replace trigger record_inserted_in_lists after insert on gateway.chain_transfers
  referencing new table as changed for each statement execute function gateway.record_chain_transfers_in_lists();
create or replace trigger record_deleted_in_lists after delete on gateway.chain_transfers
  referencing old table as changed for each statement execute function gateway.record_chain_transfers_in_lists();
