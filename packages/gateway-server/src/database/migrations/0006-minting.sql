-- Product NFTs with their token data, and presales: collections, phases, whitelists and lazily minted NFTs.

-- NFTs that can be minted: those of product cards, in any number, and lazily minted ones, each once.
create table gateway.mintable_nfts (
  id bigint generated always as identity,
  project_id bigint not null references gateway.projects (id),
  program text not null check (program in ('lazy', 'product')),
  -- null for a product, whose contract need not be registered
  contract_id bigint,
  nft_address text not null,
  name text not null,
  -- who receives the price and the royalties of a product; '' for the collection's recipients
  owner text not null default '',
  adult boolean not null default false,
  channel text not null default '',
  description text not null default '',
  img_url text not null default '',
  license_code text not null default '',
  media_file_type text not null default '',
  media_file_url text not null default '',
  token_uri text not null default '',
  properties jsonb not null default '[]',
  -- null for the collection's
  royalty_percentage numeric check (royalty_percentage between 0 and 100),
  -- null for the phase's
  price numeric(78, 0),
  pay_token_address text not null default '',
  status text not null default 'DISPLAY' check (status in ('HIDDEN', 'DISPLAY', 'RESERVED', 'MINTED')),
  -- the end of a reservation without a signature; otherwise null
  reserved_until timestamptz,
  -- 0 for no limit
  limited bigint not null default 0,
  reserved bigint not null default 0 check (reserved >= 0),
  minted bigint not null default 0 check (minted >= 0),
  -- of a lazily minted NFT
  token_id text not null default '',
  -- its position when an NFT is drawn at random
  draw double precision not null default random(),
  deleted boolean not null default false,
  -- the next time at which the row changes by itself, set by a trigger; null for none
  time_due_at timestamptz,
  -- the last of these times that pass_times has recorded
  time_passed_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (project_id, id),
  foreign key (project_id, contract_id) references gateway.contracts (project_id, id),
  constraint mintable_nfts_lazy check (program <> 'lazy' or limited = 1 and contract_id is not null),
  constraint mintable_nfts_within_limited check (limited = 0 or reserved + minted <= limited),
  constraint mintable_nfts_limits check (
    char_length(nft_address) <= 128 and char_length(name) <= 200 and char_length(owner) <= 128
    and char_length(channel) <= 200 and char_length(description) <= 4000 and char_length(license_code) <= 200
    and char_length(media_file_type) <= 128 and octet_length(img_url) <= 2048
    and octet_length(media_file_url) <= 2048 and octet_length(token_uri) <= 2048
    and octet_length(properties::text) <= 65536
  )
);
-- productCards.product, productCards.mintSign
create index mintable_nfts_products on gateway.mintable_nfts (project_id, nft_address, id)
  where program = 'product' and not deleted;
-- lazyMinting.listNfts, contracts.remove
create index mintable_nfts_lazy on gateway.mintable_nfts (project_id, contract_id, created_at, id)
  where program = 'lazy' and not deleted;
-- lazyMinting.draw
create index mintable_nfts_draw on gateway.mintable_nfts (project_id, contract_id, draw)
  where program = 'lazy' and status = 'DISPLAY' and not deleted;
-- pass_times: events of times that have passed
create index mintable_nfts_time_due on gateway.mintable_nfts (time_due_at) where time_due_at is not null;

create table gateway.token_data (
  project_id bigint not null,
  -- the product NFT's id
  nft bigint not null,
  -- 1 at first, incremented by every change
  version bigint not null,
  data jsonb not null check (jsonb_typeof(data) = 'object'),
  updated_by text not null,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (project_id, nft),
  foreign key (project_id, nft) references gateway.mintable_nfts (project_id, id),
  constraint token_data_limits check (octet_length(data::text) <= 131072)
);

-- Append-only.
create table gateway.token_data_changes (
  id bigint generated always as identity,
  project_id bigint not null,
  nft bigint not null,
  version bigint not null,
  changed_by text not null,
  before jsonb not null,
  after jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (project_id, nft, version),
  foreign key (project_id, nft) references gateway.mintable_nfts (project_id, id),
  constraint token_data_changes_limits check (
    octet_length(before::text) <= 131072 and octet_length(after::text) <= 131072
  )
);

-- The private key that signs a project's mints.
create table gateway.minter_keys (
  project_id bigint primary key references gateway.projects (id),
  address text not null,
  sealed text not null,
  created_at timestamptz not null default clock_timestamp()
);

-- The data of a program for a contract. Created by the first write.
create table gateway.mint_collections (
  id bigint generated always as identity,
  project_id bigint not null references gateway.projects (id),
  program text not null check (program in ('lazy', 'product')),
  contract_id bigint not null,
  -- '' for the contract's own name
  name text not null default '',
  description text not null default '',
  img_url text not null default '',
  banner_url text not null default '',
  -- of tokens that are minted by quantity
  token_uri text not null default '',
  royalty_percentage numeric not null default 0 check (royalty_percentage between 0 and 100),
  royalty_recipient text not null default '',
  primary_sale_recipient text not null default '',
  previews jsonb not null default '[]' check (jsonb_typeof(previews) = 'array'),
  extension jsonb not null default '{}' check (jsonb_typeof(extension) = 'object'),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (project_id, id),
  constraint mint_collections_one unique (project_id, contract_id, program),
  foreign key (project_id, contract_id) references gateway.contracts (project_id, id),
  constraint mint_collections_limits check (
    char_length(name) <= 200 and char_length(description) <= 4000 and octet_length(img_url) <= 2048
    and octet_length(banner_url) <= 2048 and octet_length(token_uri) <= 2048
    and octet_length(previews::text) <= 524288 and octet_length(extension::text) <= 131072
  )
);

create table gateway.mint_phases (
  id bigint generated always as identity,
  project_id bigint not null,
  collection_id bigint not null,
  name text not null,
  start_time timestamptz not null,
  end_time timestamptz not null,
  -- per unit
  price numeric(78, 0) not null check (price >= 0),
  pay_token_address text not null default '',
  -- who collects the price: the contract when it mints, or an order before the signature
  priced_by text not null default 'CHAIN' check (priced_by in ('CHAIN', 'ORDER')),
  -- 0 for no limit, also per wallet
  max_claimable bigint not null check (max_claimable >= 0),
  limit_per_wallet bigint not null check (limit_per_wallet >= 0),
  -- reserved and minted units
  claimed bigint not null default 0 check (claimed >= 0),
  whitelist_mode text not null check (whitelist_mode in ('NONE', 'LIST', 'MERKLE')),
  merkle_root text not null default '',
  -- changes with every change of the whitelist
  whitelist_revision uuid not null default gen_random_uuid(),
  deleted boolean not null default false,
  -- the next time at which the row changes by itself, set by a trigger; null for none
  time_due_at timestamptz,
  -- the last of these times that pass_times has recorded
  time_passed_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (project_id, id),
  constraint mint_phases_name unique (project_id, collection_id, name),
  constraint mint_phases_end_after_start check (end_time > start_time),
  foreign key (project_id, collection_id) references gateway.mint_collections (project_id, id),
  constraint mint_phases_limits check (char_length(name) <= 200)
);

create table gateway.mint_whitelist (
  id bigint generated always as identity,
  project_id bigint not null,
  phase_id bigint not null,
  address text not null,
  -- how many the wallet may mint in the phase; 0 for the phase's limit
  wallet_limit numeric(78, 0) not null default 0,
  -- the leaf of the Merkle tree: keccak256 twice of address and limit
  leaf text not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (project_id, phase_id, address),
  foreign key (project_id, phase_id) references gateway.mint_phases (project_id, id)
);
-- lazyMinting.whitelist
create index mint_whitelist_phase on gateway.mint_whitelist (project_id, phase_id, created_at, id);

-- The units that a wallet has reserved and minted in a phase. Incremented under the limit, never recounted.
create table gateway.mint_wallets (
  project_id bigint not null,
  phase_id bigint not null,
  wallet text not null,
  used bigint not null check (used >= 0),
  -- unfinished, unpaid orders
  open integer not null default 0 check (open >= 0),
  primary key (project_id, phase_id, wallet),
  foreign key (project_id, phase_id) references gateway.mint_phases (project_id, id)
);
