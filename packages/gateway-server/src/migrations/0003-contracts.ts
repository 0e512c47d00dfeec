import type { Migration } from '@mintmark/server-kit'
import { ADDRESS, JSON_OBJECT, KEY, limits, NAME, PROPERTIES, TEXT, URL } from './limits.ts'
import { indexIds, tenant } from './tenant.ts'

/**
 * Contracts, NFTs with their properties, and transfers that this server records. Addresses are in lower case.
 */
export const contracts: Migration = {
  id: '0003_contracts',
  up: `
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
      created_at timestamptz not null default clock_timestamp(),
      updated_at timestamptz not null default clock_timestamp(),
      primary key (project_id, id)
    );
    create unique index contracts_address on gateway.contracts (project_id, nft_address, chain_id) where not deleted;
    create index contracts_all on gateway.contracts (project_id, id) where not deleted;
    create index contracts_name on gateway.contracts (project_id, name, id) where not deleted;
    create index contracts_owner on gateway.contracts (project_id, owner, id) where not deleted;
    create index contracts_type on gateway.contracts (project_id, nft_type, id) where not deleted;
    create index contracts_indexed on gateway.contracts (chain_id, nft_address) where indexed and not deleted;
    ${indexIds('contracts')}
    ${tenant('contracts')}
    ${limits('contracts', {
      characters: {
        nft_address: ADDRESS,
        name: NAME,
        symbol: NAME,
        contract_type: NAME,
        owner: ADDRESS,
        description: TEXT,
      },
      bytes: { img_url: URL, metadata: 32_768, 'extension::text': JSON_OBJECT },
    })}

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
      constraint nfts_one_of_erc721 check (nft_type <> 'ERC721' or quantity = 1)
    );
    create unique index nfts_token on gateway.nfts (project_id, nft_address, nft_id, chain_id) where not deleted;
    create index nfts_all on gateway.nfts (project_id, id) where not deleted;
    create index nfts_name on gateway.nfts (project_id, name, id) where not deleted;
    create index nfts_collection on gateway.nfts (project_id, nft_address, id) where not deleted;
    create index nfts_collection_name on gateway.nfts (project_id, nft_address, name, id) where not deleted;
    create index nfts_contract on gateway.nfts (project_id, contract_id) where not deleted;
    create index nfts_creator on gateway.nfts (project_id, creator, id) where not deleted;
    ${indexIds('nfts')}
    ${tenant('nfts')}
    ${limits('nfts', {
      characters: { nft_address: ADDRESS, nft_id: KEY, name: NAME, description: TEXT, media_file_type: KEY },
      bytes: { img_url: URL, media_file_url: URL, token_uri: URL, 'properties::text': PROPERTIES },
    })}

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
    create index nft_traits_nft on gateway.nft_traits (project_id, nft);
    create index nft_traits_type on gateway.nft_traits (project_id, trait_type, value, nft);
    create index nft_traits_value on gateway.nft_traits (project_id, value, nft);
    ${tenant('nft_traits')}

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
    create index transfers_token on gateway.transfers (project_id, nft_address, nft_id, id);
    create index transfers_collection on gateway.transfers (project_id, nft_address, id);
    create index transfers_from on gateway.transfers (project_id, from_address, id);
    create index transfers_to on gateway.transfers (project_id, to_address, id);
    ${indexIds('transfers')}
    ${tenant('transfers')}
    revoke update, delete on gateway.transfers from mintmark_gateway;
  `,
}
