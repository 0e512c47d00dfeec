-- Contracts, NFTs with their properties, and transfers that this server records.

-- The trigram operators of the keyword indexes. Their other columns are expressions, so that no other index serves the
-- conditions of the search functions, whatever the statistics say.
select set_config('search_path', (select extnamespace::regnamespace::text from pg_extension where extname = 'pg_trgm'), true);

create table gateway.contracts (
  id bigint generated always as identity,
  project_id bigint not null references gateway.projects (id),
  chain_id text not null,
  nft_address text not null,
  name text not null,
  symbol text not null default '',
  nft_type text not null,
  contract_type text not null default '',
  owner text not null default '',
  description text not null default '',
  img_url text not null default '',
  metadata text not null default '',
  channel text not null default '',
  adult boolean not null default false,
  -- whether only the indexer writes the owners of this contract's tokens
  indexed boolean not null default false,
  -- whether the assets of an indexed contract were written after its registration
  assets_written boolean not null default false,
  extension jsonb not null default '{}' check (jsonb_typeof(extension) = 'object'),
  deleted boolean not null default false,
  -- the caller's own reference; '' if it is not set
  reference text collate "C" not null default '',
  -- the wallet of the key that set the reference; '' for a key without a wallet
  reference_owner text collate "C" not null default '',
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (project_id, id),
  constraint contracts_limits check (
    char_length(nft_address) <= 128 and char_length(name) <= 200 and char_length(symbol) <= 200
    and char_length(contract_type) <= 200 and char_length(owner) <= 128 and char_length(description) <= 4000
    and octet_length(img_url) <= 2048 and octet_length(extension::text) <= 131072 and char_length(reference) <= 100
    and char_length(reference_owner) <= 128
  )
);
-- contracts.get, contracts.add: one contract at an address of a chain
create unique index contracts_address on gateway.contracts (project_id, nft_address, chain_id) where not deleted;
-- contracts.list
create index contracts_all on gateway.contracts (project_id, created_at, id) where not deleted;
-- indexer: the projects of a contract; assets.transfers
create index contracts_indexed on gateway.contracts (chain_id, nft_address) where indexed and not deleted;

create table gateway.nfts (
  id bigint generated always as identity,
  project_id bigint not null references gateway.projects (id),
  contract_id bigint not null,
  chain_id text not null,
  nft_address text not null,
  nft_id text not null,
  nft_type text not null check (nft_type in ('ERC721', 'ERC1155')),
  name text not null,
  creator text not null,
  -- the owner at creation; gateway.assets has the present owner
  first_owner text not null,
  quantity bigint not null check (quantity > 0),
  description text not null default '',
  img_url text not null default '',
  media_file_type text not null default '',
  media_file_url text not null default '',
  properties jsonb not null default '[]',
  royalty_percentage numeric not null default 0 check (royalty_percentage between 0 and 100),
  token_uri text not null default '',
  deleted boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (project_id, id),
  foreign key (project_id, contract_id) references gateway.contracts (project_id, id),
  constraint nfts_one_of_erc721 check (nft_type <> 'ERC721' or quantity = 1),
  constraint nfts_limits check (
    char_length(nft_address) <= 128 and char_length(nft_id) <= 128 and char_length(name) <= 200
    and char_length(description) <= 4000 and char_length(media_file_type) <= 128 and octet_length(img_url) <= 2048
    and octet_length(media_file_url) <= 2048 and octet_length(token_uri) <= 2048
    and octet_length(properties::text) <= 65536
  )
);
-- nfts.get, nfts.add, nfts.list of an owner: one NFT for a token
create unique index nfts_token on gateway.nfts (project_id, nft_address, nft_id, chain_id) where not deleted;
-- nfts.list
create index nfts_all on gateway.nfts (project_id, created_at, id) where not deleted;
-- nfts.list of a contract; contracts.remove, nfts.rarities
create index nfts_collection on gateway.nfts (project_id, nft_address, created_at, id) where not deleted;
-- nfts.list of a creator
create index nfts_creator on gateway.nfts (project_id, creator, created_at, id) where not deleted;
-- nfts.list with a keyword, by search_nfts
create index nfts_keyword
  on gateway.nfts using gin ((project_id + 0), (name || e'\n' || description || e'\n' || nft_id) gin_trgm_ops) with (gin_pending_list_limit = 512);

-- The distinct properties of NFTs that are not removed, for filters and counts.
create table gateway.nft_traits (
  project_id bigint not null,
  contract_id bigint not null,
  trait_type text not null,
  value text not null,
  -- the NFT's id
  nft bigint not null,
  primary key (project_id, contract_id, trait_type, value, nft),
  foreign key (project_id, nft) references gateway.nfts (project_id, id)
);
-- nfts.remove, nfts.rarities of an NFT
create index nft_traits_nft on gateway.nft_traits (project_id, nft);
-- nfts.list with a property
create index nft_traits_type on gateway.nft_traits (project_id, trait_type, value, nft);

-- Append-only.
create table gateway.transfers (
  id bigint generated always as identity,
  project_id bigint not null references gateway.projects (id),
  chain_id text not null,
  nft_address text not null,
  nft_id text not null,
  -- the zero address for minted and burned tokens
  from_address text not null,
  to_address text not null,
  quantity numeric(78, 0) not null check (quantity > 0),
  -- of the order and its payment, or ''
  order_no text not null default '',
  hash text not null default '',
  created_at timestamptz not null default clock_timestamp(),
  primary key (project_id, id)
);
-- assets.transfers of a token
create index transfers_token on gateway.transfers (project_id, nft_address, nft_id, id);
-- assets.transfers of a wallet
create index transfers_from on gateway.transfers (project_id, from_address, id);
-- assets.transfers of a wallet
create index transfers_to on gateway.transfers (project_id, to_address, id);
