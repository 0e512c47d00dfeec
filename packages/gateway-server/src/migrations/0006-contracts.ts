import type { Migration } from '@mintmark/server-kit'
import { tenant } from './tenant.ts'

/** NFTs with their properties, what projects keep with contracts, and how tokens came to their owners. */
export const contracts: Migration = {
  id: '0006_contracts',
  up: `
    alter table gateway.contracts
      add column extension jsonb not null default '{}' check (jsonb_typeof(extension) = 'object');
    create index contracts_all on gateway.contracts (project_id, id) where not deleted;
    create index contracts_name on gateway.contracts (project_id, name, id) where not deleted;
    create index contracts_owner on gateway.contracts (project_id, owner, id) where not deleted;
    create index contracts_type on gateway.contracts (project_id, nft_type, id) where not deleted;

    create table gateway.nfts (
      id bigint generated always as identity primary key,
      project_id bigint not null references gateway.projects (id),
      contract_id bigint not null,
      chain_id text not null,
      nft_address text not null,
      nft_id text not null,
      nft_type text not null check (nft_type in ('ERC721', 'ERC1155')),
      name text not null,
      creator text not null,
      -- who it was given to when it was added; who owns it now stands in assets
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
      unique (project_id, id),
      foreign key (project_id, contract_id) references gateway.contracts (project_id, id),
      constraint nfts_one_of_erc721 check (nft_type <> 'ERC721' or quantity = 1)
    );
    create unique index nfts_token on gateway.nfts (project_id, nft_address, nft_id, chain_id) where not deleted;
    create index nfts_all on gateway.nfts (project_id, id) where not deleted;
    create index nfts_name on gateway.nfts (project_id, name, id) where not deleted;
    create index nfts_collection on gateway.nfts (project_id, nft_address, id) where not deleted;
    create index nfts_collection_name on gateway.nfts (project_id, nft_address, name, id) where not deleted;
    create index nfts_contract on gateway.nfts (project_id, contract_id) where not deleted;
    create index nfts_creator on gateway.nfts (project_id, creator, id) where not deleted;
    ${tenant('nfts')}

    -- the properties of NFTs that are not removed, each once: to find by and to count
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
    create index nft_traits_nft on gateway.nft_traits (project_id, nft);
    create index nft_traits_type on gateway.nft_traits (project_id, trait_type, value, nft);
    create index nft_traits_value on gateway.nft_traits (project_id, value, nft);
    ${tenant('nft_traits')}

    -- lists of assets, and who owns most of a token
    create index assets_all on gateway.assets (project_id, id) where quantity > 0;
    create index assets_type on gateway.assets (project_id, nft_type, id) where quantity > 0;
    create index assets_most on gateway.assets (project_id, nft_address, nft_id, chain_id, quantity desc, id)
      where quantity > 0;

    -- appended, never changed
    create table gateway.transfers (
      id bigint generated always as identity primary key,
      project_id bigint not null references gateway.projects (id),
      chain_id text not null,
      nft_address text not null,
      nft_id text not null,
      -- the zero address where a token was made or removed
      from_address text not null,
      to_address text not null,
      quantity numeric(78, 0) not null check (quantity > 0),
      -- of the order and its payment; '' for none
      order_no text not null default '',
      hash text not null default '',
      created_at timestamptz not null default clock_timestamp(),
      unique (project_id, id)
    );
    create index transfers_token on gateway.transfers (project_id, nft_address, nft_id, id);
    create index transfers_collection on gateway.transfers (project_id, nft_address, id);
    create index transfers_from on gateway.transfers (project_id, from_address, id);
    create index transfers_to on gateway.transfers (project_id, to_address, id);
    ${tenant('transfers')}
    revoke update, delete on gateway.transfers from mintmark_gateway;
  `,
}
