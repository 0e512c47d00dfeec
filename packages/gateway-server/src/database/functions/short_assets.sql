-- Lists the assets of a chain whose owners have reserved more than they own, with the block that last changed
-- what they own. Few assets are short. Without the settings, a plan could read all assets or balances of the
-- chain.
create or replace function gateway.short_assets(chain text)
returns table (project_id bigint, asset_id bigint, nft_address text, quantity numeric, reserved numeric, changed_block bigint)
language sql stable set search_path = pg_catalog, pg_temp set enable_seqscan = off set enable_bitmapscan = off as $$
  select a.project_id, a.id, a.nft_address, a.quantity, a.reserved, b.changed_block
  from gateway.assets a
  cross join lateral (
    select c.changed_block from gateway.chain_balances c
    where c.chain_id = a.chain_id and c.nft_address = a.nft_address and c.nft_id = a.nft_id and c.owner = a.owner
    offset 0) b
  where a.chain_id = chain and a.indexed and a.reserved > a.quantity
$$;
revoke all on function gateway.short_assets(text) from public;
