-- Stores the transfers of indexed contracts that a statement inserted, or deleted after a reorganization, for
-- each project that registered the contract. Transfers from before the registration are history: a project
-- reads them by assets.transfers. The minute covers clocks of chains.
create or replace function gateway.capture_transfers() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  capturing_actor constant text := gateway.present_actor();
begin
  if tg_op = 'INSERT' then
    insert into gateway.row_changes (project_id, relation, actor, after)
      select c.project_id, tg_table_name, capturing_actor, to_jsonb(n)
      from new_rows n
      join gateway.contracts c on c.chain_id = n.chain_id and c.nft_address = n.nft_address and c.indexed and not c.deleted
      where n.block_time >= c.created_at - interval '1 minute'
      order by n.id;
  else
    insert into gateway.row_changes (project_id, relation, actor, before)
      select c.project_id, tg_table_name, capturing_actor, to_jsonb(o)
      from old_rows o
      join gateway.contracts c on c.chain_id = o.chain_id and c.nft_address = o.nft_address and c.indexed and not c.deleted
      where o.block_time >= c.created_at - interval '1 minute'
      order by o.id desc;
  end if;
  return null;
end $$;
