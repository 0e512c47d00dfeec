import type { Migration } from '@mintmark/server-kit'

/**
 * Indexes in which the rows of lists are in the order of their creation times, so that a range of times is a
 * range of each of these.
 */
export const creationTimes: Migration = {
  id: '0093_creation_times',
  up: `
    drop index gateway.orders_all, gateway.orders_status, gateway.orders_market, gateway.orders_recipient,
      gateway.orders_recipient_status, gateway.orders_sold, gateway.orders_nft;
    create index orders_all on gateway.orders (project_id, created_at, id) where not deleted;
    create index orders_status on gateway.orders (project_id, status, created_at, id) where not deleted;
    create index orders_market on gateway.orders (project_id, market_type, created_at, id) where not deleted;
    create index orders_recipient on gateway.orders (project_id, recipient, created_at, id) where not deleted;
    create index orders_recipient_status on gateway.orders (project_id, recipient, status, created_at, id) where not deleted;
    create index orders_sold on gateway.orders (project_id, sender, created_at, id) where status = 2 and not deleted;
    create index orders_nft on gateway.orders (project_id, nft_address, nft_id, created_at, id) where status = 2 and not deleted;

    drop index gateway.offers_token, gateway.offers_offerer, gateway.offers_collection;
    create index offers_token on gateway.offers (project_id, nft_address, nft_id, created_at, id) where status = 'ACTIVE';
    create index offers_offerer on gateway.offers (project_id, offerer, created_at, id);
    create index offers_collection on gateway.offers (project_id, nft_address, created_at, id);

    drop index gateway.listings_shelf, gateway.listings_shelf_contract, gateway.listings_shelf_seller;
    create index listings_shelf on gateway.listings (project_id, market_type, created_at, id) where status = 'ON';
    create index listings_shelf_contract on gateway.listings (project_id, market_type, nft_address, created_at, id) where status = 'ON';
    create index listings_shelf_seller on gateway.listings (project_id, market_type, seller, created_at, id) where status = 'ON';

    drop index gateway.fans_following, gateway.fans_followed, gateway.messages_group, gateway.message_views_conversation,
      gateway.token_data_changes_nft;
    create index fans_following on gateway.fans (project_id, fan, created_at, id);
    create index fans_followed on gateway.fans (project_id, address, created_at, id);
    create index messages_group on gateway.messages (project_id, group_id, created_at, id) where group_id <> '' and not removed;
    create index token_data_changes_nft on gateway.token_data_changes (project_id, nft, created_at, id);

    drop index gateway.lazy_nfts_contract, gateway.webhook_deliveries_by_webhook;
    create index lazy_nfts_contract on gateway.lazy_nfts (project_id, contract_id, created_at, id) where not deleted;
    create index webhook_deliveries_by_webhook on gateway.webhook_deliveries (project_id, webhook_id, created_at, id);

    -- The creation time of the message.
    alter table gateway.message_views add column created_at timestamptz;
    update gateway.message_views v set created_at = m.created_at
      from gateway.messages m where m.project_id = v.project_id and m.id = v.id;
    alter table gateway.message_views alter column created_at set not null;
    create index message_views_owner on gateway.message_views (project_id, owner, created_at, id);
    create index message_views_conversation on gateway.message_views (project_id, owner, other, created_at, id);
  `,
}
