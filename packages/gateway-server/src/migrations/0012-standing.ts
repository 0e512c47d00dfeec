import type { Migration } from '@mintmark/server-kit'

/** What an owner of an indexed token has promised and can no longer keep. */
export const standing: Migration = {
  id: '0012_standing',
  up: `
    alter table gateway.auctions
      drop constraint auctions_status_check,
      -- INACTIVE: the chain has the seller own too few, and may turn back; no bids, and no winner, meanwhile
      add constraint auctions_status_check
        check (status in ('OPEN', 'INACTIVE', 'WON', 'SOLD', 'UNSOLD', 'UNPAID', 'CANCELLED'));
    drop index gateway.auctions_asset;
    create index auctions_asset on gateway.auctions (project_id, asset_id) where status in ('OPEN', 'INACTIVE');
    drop index gateway.auctions_end;
    create index auctions_end on gateway.auctions (end_time, id) where status in ('OPEN', 'INACTIVE');
    create index auctions_inactive on gateway.auctions (chain_id, asset_id) where status = 'INACTIVE';

    -- of which more is promised than there is: few, for what is promised ends by that
    create index assets_short on gateway.assets (chain_id, id) where indexed and held > quantity;

    -- those after another one, which may have to wait for its chain; with a winner only where the chain can be read
    create function gateway.ended_auctions(how_many integer, after_end timestamptz, after_id bigint, unreadable text[])
    returns table (project_id bigint, auction_id bigint, end_time timestamptz)
    language sql stable security definer set search_path = pg_catalog, pg_temp as $$
      select a.project_id, a.id, a.end_time from gateway.auctions a
      where a.end_time <= clock_timestamp() and (a.end_time, a.id) > (after_end, after_id)
        and case when a.top_bid > 0 and a.top_bid >= a.reserve_price
          then a.status = 'OPEN' and a.chain_id <> all(unreadable)
          else a.status in ('OPEN', 'INACTIVE') end
        and a.status in ('OPEN', 'INACTIVE')
      order by a.end_time, a.id limit how_many
    $$;
    revoke all on function gateway.ended_auctions(integer, timestamptz, bigint, text[]) from public;
    grant execute on function gateway.ended_auctions(integer, timestamptz, bigint, text[]) to mintmark_gateway;
  `,
}
