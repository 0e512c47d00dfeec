import { tenant } from './tenant.ts'

/**
 * What wallets own, and how much of it is promised. Where a contract is indexed the chain alone writes `assets`; for the others the table is
 * the record. Listings, auctions, accepted offers and mints promise by rows of `asset_holds`; `assets.held` is their sum, kept by a
 * trigger, and never exceeds what is owned.
 */
export const ownership = `
    -- the chain is the only writer of who owns this contract's tokens
    alter table gateway.contracts add column indexed boolean not null default false;

    create table gateway.assets (
      id bigint generated always as identity primary key,
      project_id bigint not null references gateway.projects (id),
      chain_id text not null,
      nft_address text not null,
      nft_id text not null,
      nft_type text not null,
      owner text not null,
      -- ERC-1155 counts can be any uint256
      quantity numeric(78, 0) not null check (quantity >= 0),
      -- the sum of its holds; written by the trigger alone
      held numeric(78, 0) not null default 0 check (held >= 0),
      -- of an indexed contract: the chain can take what is held
      indexed boolean not null default false,
      created_at timestamptz not null default clock_timestamp(),
      updated_at timestamptz not null default clock_timestamp(),
      unique (project_id, id),
      constraint assets_owner unique (project_id, chain_id, nft_address, nft_id, owner),
      constraint assets_held_within_quantity check (held <= quantity or indexed)
    );
    create index assets_of_owner on gateway.assets (project_id, owner, id) where quantity > 0;
    create index assets_of_contract on gateway.assets (project_id, nft_address, nft_id, id) where quantity > 0;
    ${tenant('assets')}

    create table gateway.asset_holds (
      id bigint generated always as identity primary key,
      project_id bigint not null,
      asset_id bigint not null,
      -- who holds, and the id in its own table
      holder text not null check (holder in ('listing', 'order', 'auction', 'offer', 'mint')),
      holder_id bigint not null,
      quantity numeric(78, 0) not null check (quantity >= 0),
      created_at timestamptz not null default clock_timestamp(),
      constraint one_hold_a_holder unique (project_id, holder, holder_id),
      foreign key (project_id, asset_id) references gateway.assets (project_id, id)
    );
    create index asset_holds_asset on gateway.asset_holds (project_id, asset_id);
    ${tenant('asset_holds')}

    create function gateway.count_asset_holds() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'INSERT' then
        update gateway.assets set held = held - old.quantity, updated_at = clock_timestamp()
          where project_id = old.project_id and id = old.asset_id and old.quantity <> 0;
      end if;
      if tg_op <> 'DELETE' then
        update gateway.assets set held = held + new.quantity, updated_at = clock_timestamp()
          where project_id = new.project_id and id = new.asset_id and new.quantity <> 0;
      end if;
      return null;
    end $$;
    create trigger count_asset_holds after insert or delete or update of quantity on gateway.asset_holds
      for each row execute function gateway.count_asset_holds();
`
