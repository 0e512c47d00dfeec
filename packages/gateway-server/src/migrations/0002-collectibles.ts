import type { Migration } from '@mintmark/server-kit'
import { tenant } from './tenant.ts'

/** Wallets, contracts, cards, product NFTs and orders. Addresses are in lower case, amounts in base units. */
export const collectibles: Migration = {
  id: '0002_collectibles',
  up: `
    create table gateway.wallet_info (
      project_id bigint not null references gateway.projects (id),
      address text not null,
      name text not null default '',
      email text not null default '',
      description text not null default '',
      background text not null default '',
      profile_photo text not null default '',
      showcase_background text not null default '',
      created_at timestamptz not null default clock_timestamp(),
      updated_at timestamptz not null default clock_timestamp(),
      primary key (project_id, address)
    );
    ${tenant('wallet_info')}

    create table gateway.contracts (
      id bigint generated always as identity primary key,
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
      deleted boolean not null default false,
      created_at timestamptz not null default clock_timestamp(),
      updated_at timestamptz not null default clock_timestamp(),
      unique (project_id, id)
    );
    create unique index contracts_address on gateway.contracts (project_id, nft_address, chain_id) where not deleted;
    ${tenant('contracts')}

    create table gateway.cards (
      id bigint generated always as identity primary key,
      project_id bigint not null references gateway.projects (id),
      program text not null check (program in ('promo_code', 'event', 'commemorative', 'membership')),
      name text not null,
      creator text not null default '',
      chain_id text not null default '',
      nft_address text not null,
      nft_id text not null default '',
      nft_type text not null default '',
      start_time timestamptz not null,
      end_time timestamptz not null,
      validity_period timestamptz not null,
      total_issued bigint not null check (total_issued > 0),
      used_count bigint not null default 0,
      is_checked_in boolean not null default false,
      amount numeric not null default 0,
      applicable_stores text[] not null default '{}',
      background_image_url text not null default '',
      logo_url text not null default '',
      image_url text not null default '',
      -- unguessable: whoever shows it holds the card
      qr_code text not null unique,
      -- a picture of the creator's own; '' where the server draws one
      qr_code_url text not null default '',
      usage_instructions text not null default '',
      deleted boolean not null default false,
      created_at timestamptz not null default clock_timestamp(),
      updated_at timestamptz not null default clock_timestamp(),
      unique (project_id, id),
      constraint cards_end_after_start check (end_time > start_time),
      constraint cards_used_within_issued check (used_count between 0 and total_issued)
    );
    create index cards_creator on gateway.cards (project_id, program, creator, id) where not deleted;
    ${tenant('cards')}

    create table gateway.product_nfts (
      id bigint generated always as identity primary key,
      project_id bigint not null references gateway.projects (id),
      nft_address text not null,
      name text not null,
      owner text not null,
      adult boolean not null default false,
      channel text not null default '',
      description text not null default '',
      img_url text not null default '',
      license_code text not null default '',
      limited bigint not null default 0,
      media_file_type text not null default '',
      media_file_url text not null default '',
      properties jsonb not null default '[]',
      royalty_percentage numeric not null default 0 check (royalty_percentage between 0 and 100),
      status text not null default 'DISPLAY' check (status in ('HIDDEN', 'DISPLAY', 'RESERVED', 'MINTED')),
      token_uri text not null default '',
      deleted boolean not null default false,
      created_at timestamptz not null default clock_timestamp(),
      updated_at timestamptz not null default clock_timestamp(),
      unique (project_id, id)
    );
    create index product_nfts_contract on gateway.product_nfts (project_id, nft_address, id) where not deleted;
    ${tenant('product_nfts')}

    create table gateway.orders (
      id bigint generated always as identity primary key,
      project_id bigint not null references gateway.projects (id),
      order_no text not null,
      -- the states of market-rules: 0 PRE, 1 IN_PROGRESS, 2 SUCCESS, 3 FAILED, 4 CANCELLED, 5 EXPIRED, 6 UNRESOLVED
      status smallint not null default 0 check (status between 0 and 6),
      market_type smallint not null,
      order_type smallint not null default 0,
      name text not null default '',
      description text not null default '',
      chain_id text not null,
      market_address text not null default '',
      nft_address text not null,
      nft_id text not null default '',
      nft_type text not null default '',
      nft_name text not null default '',
      nft_img text not null default '',
      file_type text not null default '',
      quantity bigint not null default 1 check (quantity > 0),
      sender text not null,
      sender_name text not null default '',
      sender_photo text not null default '',
      recipient text not null,
      recipient_name text not null default '',
      recipient_photo text not null default '',
      order_amount numeric(78, 0) not null,
      pay_amount numeric(78, 0) not null check (pay_amount >= 0),
      pay_token_address text not null default '',
      pay_token_type text not null default 'NATIVE',
      pay_token_decimals smallint not null default 18,
      coupon_code text not null default '',
      coupon_type smallint not null default 0,
      hash text not null default '',
      tx_id text not null default '',
      serial_no text not null,
      expires_at timestamptz not null,
      deleted boolean not null default false,
      created_at timestamptz not null default clock_timestamp(),
      updated_at timestamptz not null default clock_timestamp(),
      unique (project_id, id),
      unique (project_id, order_no)
    );
    ${tenant('orders')}

    -- the transactions reported for an order, the newest being orders.hash
    create table gateway.order_payments (
      project_id bigint not null,
      hash text not null,
      order_id bigint not null,
      reported_at timestamptz not null default clock_timestamp(),
      primary key (project_id, hash),
      foreign key (project_id, order_id) references gateway.orders (project_id, id)
    );
    ${tenant('order_payments')}
  `,
}
