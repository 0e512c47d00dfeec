import type { Migration } from '@mintmark/server-kit'

/**
 * The decimal text of a number of at most 78 digits, after the number of its digits. In the collation "C" it
 * has the order of the numbers. A condition on a numeric column cannot use an index under row-level security,
 * because comparisons of numerics are not leakproof.
 */
const orderKey = (name: string, column: string) => `
      ${name} text collate "C" not null generated always as (lpad(length(${column}::text)::text, 2, '0') || ${column}::text) stored
        check (length(${name}) <= 80)`

/** Indexes in which the rows of lists with a filter are in the order of the list. */
export const listIndexes: Migration = {
  id: '0040_list_indexes',
  up: `
    drop index gateway.cards_created;
    create index cards_created on gateway.cards (project_id, program, created_at, id) where not deleted;

    -- Only the time orders verifications, so a range of time is a range of each of these.
    drop index gateway.card_verifications_program, gateway.card_verifications_created, gateway.card_verifications_card,
      gateway.card_verifications_store, gateway.card_verifications_verifier;
    create index card_verifications_program on gateway.card_verifications (project_id, program, created_at, id);
    create index card_verifications_card on gateway.card_verifications (project_id, program, card_id, created_at, id);
    create index card_verifications_store on gateway.card_verifications (project_id, program, store, created_at, id);
    create index card_verifications_verifier on gateway.card_verifications (project_id, program, verifier, created_at, id);

    create index address_book_by_address on gateway.address_book (project_id, owner, address, id);

    alter table gateway.listings add column ${orderKey('price_key', 'pay_price')};
    drop index gateway.listings_shelf_price, gateway.listings_shelf_contract_price;
    create index listings_shelf_price on gateway.listings (project_id, market_type, price_key, id) where status = 'ON';
    create index listings_shelf_contract_price
      on gateway.listings (project_id, market_type, nft_address, price_key, id) where status = 'ON';
    create index listings_shelf_seller_price
      on gateway.listings (project_id, market_type, seller, price_key, id) where status = 'ON';
    create index listings_shelf_token_price
      on gateway.listings (project_id, market_type, pay_token_address, price_key, id) where status = 'ON';

    alter table gateway.offers add column ${orderKey('total_key', 'total_price')};
    drop index gateway.offers_token_price;
    create index offers_token_price on gateway.offers (project_id, nft_address, nft_id, total_key, id) where status = 'ACTIVE';
    create index offers_offerer_price on gateway.offers (project_id, offerer, total_key, id);

    -- assets_most begins with the columns of a token too.
    drop index gateway.assets_of_contract;
    create index assets_of_contract on gateway.assets (project_id, nft_address, id) where quantity > 0;

    -- A project reads the transfers of its own contracts.
    drop index gateway.chain_transfers_from, gateway.chain_transfers_to;
    create index chain_transfers_from on gateway.chain_transfers (nft_address, from_address, id);
    create index chain_transfers_to on gateway.chain_transfers (nft_address, to_address, id);
  `,
}
