import type { Migration } from '@mintmark/server-kit'

/**
 * More lists in the order of their creation times instead of their ids, so that a range of times is a range
 * of each of these indexes.
 */
export const listCreationTimes: Migration = {
  id: '0122_list_creation_times',
  up: `
    drop index gateway.address_book_owner;
    create index address_book_owner on gateway.address_book (project_id, owner, created_at, id);

    drop index gateway.contracts_all, gateway.contracts_owner, gateway.contracts_type;
    create index contracts_all on gateway.contracts (project_id, created_at, id) where not deleted;
    create index contracts_owner on gateway.contracts (project_id, owner, created_at, id) where not deleted;
    create index contracts_type on gateway.contracts (project_id, nft_type, created_at, id) where not deleted;

    drop index gateway.nfts_all, gateway.nfts_collection, gateway.nfts_creator;
    create index nfts_all on gateway.nfts (project_id, created_at, id) where not deleted;
    create index nfts_collection on gateway.nfts (project_id, nft_address, created_at, id) where not deleted;
    create index nfts_creator on gateway.nfts (project_id, creator, created_at, id) where not deleted;

    drop index gateway.assets_of_owner, gateway.assets_of_contract, gateway.assets_all, gateway.assets_type;
    create index assets_of_owner on gateway.assets (project_id, owner, created_at, id) where quantity > 0;
    create index assets_of_contract on gateway.assets (project_id, nft_address, created_at, id) where quantity > 0;
    create index assets_all on gateway.assets (project_id, created_at, id) where quantity > 0;
    create index assets_type on gateway.assets (project_id, nft_type, created_at, id) where quantity > 0;

    drop index gateway.mint_whitelist_phase;
    create index mint_whitelist_phase on gateway.mint_whitelist (project_id, phase_id, created_at, id);

    drop index gateway.mint_reservations_list, gateway.mint_reservations_list_wallet;
    create index mint_reservations_list on gateway.mint_reservations (project_id, collection_id, created_at, id) where uid <> '';
    create index mint_reservations_list_wallet
      on gateway.mint_reservations (project_id, collection_id, recipient, created_at, id) where uid <> '';
  `,
}
