-- What wallets own, and how much of it is reserved. For an indexed contract only the indexer writes the owned
-- quantities; for others this table is the record. Listings, auctions, accepted offers and mints reserve units by rows of
-- `asset_reservations`. A trigger keeps their sum in `assets.reserved`.

create table gateway.assets (
  id bigint generated always as identity,
  project_id bigint not null references gateway.projects (id),
  chain_id text not null,
  nft_address text not null,
  nft_id text not null,
  nft_type text not null,
  owner text not null,
  -- an ERC-1155 quantity can be any uint256
  quantity numeric(78, 0) not null check (quantity >= 0),
  -- the sum of the asset's reservations, which only the trigger writes
  reserved numeric(78, 0) not null default 0 check (reserved >= 0),
  -- whether the contract is indexed: a transfer can leave fewer units than are reserved
  indexed boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (project_id, id),
  constraint assets_owner unique (project_id, chain_id, nft_address, nft_id, owner),
  constraint assets_reserved_within_quantity check (reserved <= quantity or indexed)
);
-- assets.list
create index assets_all on gateway.assets (project_id, created_at, id) where quantity > 0;
-- assets.list of an owner, nfts.list of an owner, offers.received
create index assets_of_owner on gateway.assets (project_id, owner, created_at, id) where quantity > 0;
-- assets.list of a contract
create index assets_of_contract on gateway.assets (project_id, nft_address, created_at, id) where quantity > 0;
-- nfts.get and lists of NFTs and cards: the owner of most units of a token
create index assets_most
  on gateway.assets (project_id, nft_address, nft_id, chain_id, quantity desc, id) where quantity > 0;
-- indexer: assets of which more is reserved than owned
create index assets_short on gateway.assets (chain_id, id) where indexed and reserved > quantity;

create table gateway.asset_reservations (
  id bigint generated always as identity,
  project_id bigint not null,
  asset_id bigint not null,
  -- what the reservation is for, and its id in its own table
  holder text not null check (holder in ('listing', 'order', 'auction', 'offer', 'mint')),
  holder_id bigint not null,
  quantity numeric(78, 0) not null check (quantity >= 0),
  created_at timestamptz not null default clock_timestamp(),
  constraint one_reservation_per_holder primary key (project_id, holder, holder_id),
  foreign key (project_id, asset_id) references gateway.assets (project_id, id)
);
-- indexer: the reservations of an asset whose quantity changed
create index asset_reservations_asset on gateway.asset_reservations (project_id, asset_id);
