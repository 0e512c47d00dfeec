-- Records the lists with segments that a transfer is added to, and those that it is removed from. A transfer
-- of a wallet to itself is once in the wallet's list.
create or replace function gateway.record_transfers_in_lists() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off as $$
begin
  insert into gateway.list_segment_changes (project_id, relation, field, value, key, change)
    select image.project_id, 'transfer_history', list.field, list.value, image.id, image.change
    from (
      select old.project_id, old.id, old.nft_address, old.nft_id, old.from_address, old.to_address, -1 as change where tg_op <> 'INSERT'
      union all
      select new.project_id, new.id, new.nft_address, new.nft_id, new.from_address, new.to_address, 1 where tg_op <> 'DELETE'
    ) as image
    cross join lateral (values
      ('', ''), ('nft_address', image.nft_address), ('nft_address,nft_id', json_build_array(image.nft_address, image.nft_id)::text),
      ('address', image.from_address), ('address', nullif(image.to_address, image.from_address))) as list (field, value)
    where octet_length(list.value) <= 1000 and (current_setting('transaction_isolation') <> 'read committed' or exists (
      select from gateway.list_segments s
      where s.project_id = image.project_id and s.relation = 'transfer_history' and s.field = list.field and s.value = list.value and s.start = 0
      offset 0));
  return null;
end $$;

create or replace trigger record_transfers_in_lists after insert or delete or update on gateway.transfers
  for each row execute function gateway.record_transfers_in_lists();
