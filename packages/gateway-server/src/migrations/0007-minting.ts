import type { Migration } from '@mintmark/server-kit'
import { tenant } from './tenant.ts'

/** What is sold before it is minted: collections with their presales, and the NFTs that wait. */
const collections = `
    -- the key that a project's mint signatures are made with
    create table gateway.minter_keys (
      project_id bigint primary key references gateway.projects (id),
      address text not null,
      sealed text not null,
      created_at timestamptz not null default clock_timestamp()
    );
    ${tenant('minter_keys')}

    -- what a program keeps with a contract; made when something is first written
    create table gateway.mint_collections (
      id bigint generated always as identity primary key,
      project_id bigint not null references gateway.projects (id),
      program text not null check (program in ('lazy', 'product')),
      contract_id bigint not null,
      -- '' for the contract's own
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
      unique (project_id, id),
      constraint mint_collections_one unique (project_id, contract_id, program),
      foreign key (project_id, contract_id) references gateway.contracts (project_id, id)
    );
    ${tenant('mint_collections')}

    create table gateway.mint_phases (
      id bigint generated always as identity primary key,
      project_id bigint not null,
      collection_id bigint not null,
      name text not null,
      start_time timestamptz not null,
      end_time timestamptz not null,
      -- of one, in base units
      price numeric(78, 0) not null check (price >= 0),
      pay_token_address text not null default '',
      -- 0: no limit, as for wallets
      max_claimable bigint not null check (max_claimable >= 0),
      limit_per_wallet bigint not null check (limit_per_wallet >= 0),
      -- reserved and minted
      claimed bigint not null default 0 check (claimed >= 0),
      whitelist_mode text not null check (whitelist_mode in ('NONE', 'LIST', 'MERKLE')),
      merkle_root text not null default '',
      -- another with every change of the whitelist
      whitelist_revision uuid not null default gen_random_uuid(),
      deleted boolean not null default false,
      created_at timestamptz not null default clock_timestamp(),
      updated_at timestamptz not null default clock_timestamp(),
      unique (project_id, id),
      constraint mint_phases_name unique (project_id, collection_id, name),
      constraint mint_phases_end_after_start check (end_time > start_time),
      foreign key (project_id, collection_id) references gateway.mint_collections (project_id, id)
    );
    ${tenant('mint_phases')}

    create table gateway.mint_whitelist (
      id bigint generated always as identity primary key,
      project_id bigint not null,
      phase_id bigint not null,
      address text not null,
      -- how many the wallet may mint in the phase; 0: as the phase says
      wallet_limit numeric(78, 0) not null default 0,
      -- keccak256 twice of the two, as they stand in the Merkle tree
      leaf text not null,
      created_at timestamptz not null default clock_timestamp(),
      updated_at timestamptz not null default clock_timestamp(),
      unique (project_id, id),
      constraint mint_whitelist_wallet unique (project_id, phase_id, address),
      foreign key (project_id, phase_id) references gateway.mint_phases (project_id, id)
    );
    create index mint_whitelist_phase on gateway.mint_whitelist (project_id, phase_id, id);
    ${tenant('mint_whitelist')}

    -- how many a wallet has reserved and minted in a phase: counted up under its limit, never counted anew
    create table gateway.mint_wallets (
      project_id bigint not null,
      phase_id bigint not null,
      wallet text not null,
      used bigint not null check (used >= 0),
      primary key (project_id, phase_id, wallet),
      foreign key (project_id, phase_id) references gateway.mint_phases (project_id, id)
    );
    ${tenant('mint_wallets')}
`

const nfts = `
    create table gateway.lazy_nfts (
      id bigint generated always as identity primary key,
      project_id bigint not null references gateway.projects (id),
      contract_id bigint not null,
      nft_address text not null,
      name text not null,
      description text not null default '',
      img_url text not null default '',
      media_file_url text not null default '',
      token_uri text not null,
      properties jsonb not null default '[]',
      -- null: the collection's
      royalty_percentage numeric check (royalty_percentage between 0 and 100),
      -- null: the phase's
      price numeric(78, 0),
      pay_token_address text not null default '',
      status text not null default 'DISPLAY' check (status in ('HIDDEN', 'DISPLAY', 'RESERVED', 'MINTED')),
      -- until when a reservation without a signature stands; null for every other one
      reserved_until timestamptz,
      limited bigint not null default 1 check (limited = 1),
      reserved bigint not null default 0 check (reserved >= 0),
      minted bigint not null default 0 check (minted >= 0),
      token_id text not null default '',
      -- its place when one is drawn
      draw double precision not null default random(),
      deleted boolean not null default false,
      created_at timestamptz not null default clock_timestamp(),
      updated_at timestamptz not null default clock_timestamp(),
      unique (project_id, id),
      foreign key (project_id, contract_id) references gateway.contracts (project_id, id),
      constraint lazy_nfts_once check (reserved + minted <= 1)
    );
    create index lazy_nfts_contract on gateway.lazy_nfts (project_id, contract_id, id) where not deleted;
    create index lazy_nfts_name on gateway.lazy_nfts (project_id, contract_id, name, id) where not deleted;
    create index lazy_nfts_status on gateway.lazy_nfts (project_id, contract_id, status, id) where not deleted;
    create index lazy_nfts_draw on gateway.lazy_nfts (project_id, contract_id, draw) where status = 'DISPLAY' and not deleted;
    ${tenant('lazy_nfts')}

    alter table gateway.product_nfts
      add column reserved bigint not null default 0 check (reserved >= 0),
      add column minted bigint not null default 0 check (minted >= 0),
      add constraint product_nfts_within_limited check (limited = 0 or reserved + minted <= limited);

    create table gateway.token_data (
      project_id bigint not null,
      -- the product NFT's id
      nft bigint not null,
      -- from 1, counts up with every change
      version bigint not null,
      data jsonb not null check (jsonb_typeof(data) = 'object'),
      updated_by text not null,
      updated_at timestamptz not null default clock_timestamp(),
      primary key (project_id, nft),
      foreign key (project_id, nft) references gateway.product_nfts (project_id, id)
    );
    ${tenant('token_data')}

    -- appended, never changed
    create table gateway.token_data_changes (
      id bigint generated always as identity primary key,
      project_id bigint not null,
      nft bigint not null,
      version bigint not null,
      changed_by text not null,
      before jsonb not null,
      after jsonb not null,
      created_at timestamptz not null default clock_timestamp(),
      constraint token_data_changes_version unique (project_id, nft, version),
      foreign key (project_id, nft) references gateway.product_nfts (project_id, id)
    );
    create index token_data_changes_nft on gateway.token_data_changes (project_id, nft, id);
    ${tenant('token_data_changes')}
    revoke update, delete on gateway.token_data_changes from mintmark_gateway;
`

const reservations = `
    create table gateway.mint_reservations (
      id bigint generated always as identity primary key,
      project_id bigint not null references gateway.projects (id),
      collection_id bigint not null,
      phase_id bigint not null,
      -- the NFT's id in its program's table; 0 for the collection's own token
      nft bigint not null default 0,
      recipient text not null,
      quantity bigint not null check (quantity > 0),
      price numeric(78, 0) not null,
      pay_token_address text not null default '',
      status text not null default 'RESERVED' check (status in ('RESERVED', 'SIGNED', 'MINTED', 'RELEASED')),
      -- of one without a signature, by this database's clock
      expires_at timestamptz not null,
      minter text not null default '',
      uid text not null default '',
      -- the MintRequest that is signed
      payload jsonb not null default '{}',
      signature text not null default '',
      -- the chain's newest block when it was signed, and how far its logs were searched
      from_block bigint not null default 0,
      searched_to bigint not null default 0,
      -- the signature's end by the chain's clock, in seconds since the epoch
      valid_until bigint not null default 0,
      token_id text not null default '',
      hash text not null default '',
      -- when the chain is to be asked next; null where nothing is awaited of it
      due_at timestamptz,
      created_at timestamptz not null default clock_timestamp(),
      updated_at timestamptz not null default clock_timestamp(),
      unique (project_id, id),
      foreign key (project_id, collection_id) references gateway.mint_collections (project_id, id),
      foreign key (project_id, phase_id) references gateway.mint_phases (project_id, id)
    );
    create unique index mint_reservations_uid on gateway.mint_reservations (project_id, uid) where uid <> '';
    create index mint_reservations_wallet on gateway.mint_reservations (project_id, collection_id, recipient, id)
      where status in ('RESERVED', 'SIGNED');
    create index mint_reservations_nft on gateway.mint_reservations (project_id, collection_id, nft, id)
      where status in ('RESERVED', 'SIGNED');
    create index mint_reservations_expired on gateway.mint_reservations (project_id, collection_id, expires_at)
      where status = 'RESERVED';
    create index mint_reservations_due on gateway.mint_reservations (due_at) where due_at is not null;
    create index mint_reservations_list on gateway.mint_reservations (project_id, collection_id, id) where uid <> '';
    create index mint_reservations_list_wallet on gateway.mint_reservations (project_id, collection_id, recipient, id)
      where uid <> '';
    ${tenant('mint_reservations')}

    -- the job works for every project, and its role sees one at a time: this runs as the schema's owner and tells ids alone
    create function gateway.claim_due_mints(how_many integer, lease interval)
    returns table (project_id bigint, reservation_id bigint)
    language sql security definer set search_path = pg_catalog, pg_temp as $$
      update gateway.mint_reservations m set due_at = clock_timestamp() + lease
      from (
        select d.id from gateway.mint_reservations d where d.due_at <= clock_timestamp()
        order by d.due_at limit how_many for update skip locked
      ) due
      where m.id = due.id
      returning m.project_id, m.id
    $$;
    revoke all on function gateway.claim_due_mints(integer, interval) from public;
    grant execute on function gateway.claim_due_mints(integer, interval) to mintmark_gateway;
`

/** Lazy minting and product cards: presales, whitelists, reservations with their signatures, and token data. */
export const minting: Migration = {
  id: '0007_minting',
  up: `${collections}${nfts}${reservations}`,
}
