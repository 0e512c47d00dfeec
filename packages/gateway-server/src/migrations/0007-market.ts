import type { Migration } from '@mintmark/server-kit'
import { indexIds, tenant } from './tenant.ts'

/** Coupons, listings, auctions and offers. Amounts are in base units. */
export const market: Migration = {
  id: '0007_market',
  up: `
    create table gateway.coupons (
      id bigint generated always as identity,
      project_id bigint not null references gateway.projects (id),
      -- of its listings: 2 coupon, 3 limited-time coupon, 4 coupon code
      market_type smallint not null check (market_type between 2 and 4),
      -- 1 percent (basis points), 2 amount off, 3 fixed price
      coupon_type smallint not null check (coupon_type between 1 and 3),
      value numeric(78, 0) not null check (value > 0),
      -- the lowest order amount before the discount
      minimum_amount numeric(78, 0) not null default 0 check (minimum_amount >= 0),
      -- 0 for no limit
      max_redemptions bigint not null default 0 check (max_redemptions >= 0),
      max_per_wallet bigint not null default 0 check (max_per_wallet >= 0),
      -- by paid and unpaid orders
      used bigint not null default 0 check (used >= 0),
      redeemed bigint not null default 0,
      start_time timestamptz not null default clock_timestamp(),
      end_time timestamptz,
      created_at timestamptz not null default clock_timestamp(),
      updated_at timestamptz not null default clock_timestamp(),
      primary key (project_id, id),
      constraint coupons_used_within_maximum check (max_redemptions = 0 or used <= max_redemptions),
      constraint coupons_redeemed_within_used check (redeemed between 0 and used),
      constraint coupons_percent check (coupon_type <> 1 or value <= 10000),
      constraint coupons_end_after_start check (end_time > start_time)
    );
    ${indexIds('coupons')}
    ${tenant('coupons')}

    create table gateway.coupon_codes (
      project_id bigint not null,
      -- in upper case
      code text not null,
      coupon_id bigint not null,
      primary key (project_id, code),
      foreign key (project_id, coupon_id) references gateway.coupons (project_id, id)
    );
    create index coupon_codes_coupon on gateway.coupon_codes (project_id, coupon_id);
    ${tenant('coupon_codes')}

    -- The number of a wallet's orders with a coupon. Incremented under the limit, never recounted.
    create table gateway.coupon_wallets (
      project_id bigint not null,
      coupon_id bigint not null,
      wallet text not null,
      used bigint not null check (used >= 0),
      primary key (project_id, coupon_id, wallet),
      foreign key (project_id, coupon_id) references gateway.coupons (project_id, id)
    );
    ${tenant('coupon_wallets')}

    create table gateway.listings (
      id bigint generated always as identity,
      project_id bigint not null references gateway.projects (id),
      -- 1 common, 2 coupon, 3 limited-time coupon, 4 coupon code, 5 specified
      market_type smallint not null,
      asset_id bigint not null,
      chain_id text not null,
      nft_address text not null,
      nft_id text not null,
      nft_type text not null,
      nft_name text not null default '',
      nft_img text not null default '',
      seller text not null,
      quantity bigint not null check (quantity > 0),
      remaining bigint not null check (remaining >= 0),
      -- reserved by unpaid orders
      reserved bigint not null default 0 check (reserved >= 0),
      sold bigint not null default 0 check (sold >= 0),
      -- per unit
      pay_price numeric(78, 0) not null check (pay_price > 0),
      pay_token_address text not null default '',
      pay_token_type text not null default 'NATIVE' check (pay_token_type in ('NATIVE', 'ERC20')),
      pay_token_decimals smallint not null default 18,
      start_time timestamptz not null default clock_timestamp(),
      end_time timestamptz not null,
      -- the wallets that may buy; empty for all
      reserved_for text[] not null default '{}',
      coupon_id bigint,
      -- INACTIVE: the seller owns too few tokens of an indexed contract. After end_time a listing is shown as EXPIRED, before a job sets it.
      status text not null default 'ON' check (status in ('ON', 'INACTIVE', 'SOLD', 'OFF', 'EXPIRED')),
      created_at timestamptz not null default clock_timestamp(),
      updated_at timestamptz not null default clock_timestamp(),
      primary key (project_id, id),
      foreign key (project_id, asset_id) references gateway.assets (project_id, id),
      constraint listings_end_after_start check (end_time > start_time),
      constraint listings_stock check (remaining + reserved + sold = quantity),
      foreign key (project_id, coupon_id) references gateway.coupons (project_id, id)
    );
    create index listings_shelf on gateway.listings (project_id, market_type, id) where status = 'ON';
    create index listings_shelf_price on gateway.listings (project_id, market_type, pay_price, id) where status = 'ON';
    create index listings_shelf_end on gateway.listings (project_id, market_type, end_time, id) where status = 'ON';
    create index listings_shelf_contract on gateway.listings (project_id, market_type, nft_address, id) where status = 'ON';
    create index listings_shelf_contract_price
      on gateway.listings (project_id, market_type, nft_address, pay_price, id) where status = 'ON';
    create index listings_shelf_seller on gateway.listings (project_id, market_type, seller, id) where status = 'ON';
    create index listings_end on gateway.listings (end_time) where status in ('ON', 'INACTIVE');
    create index listings_asset on gateway.listings (project_id, asset_id) where status in ('ON', 'INACTIVE');
    create index listings_coupon on gateway.listings (project_id, coupon_id, id) where coupon_id is not null;
    create index listings_inactive on gateway.listings (chain_id, asset_id) where status = 'INACTIVE';
    ${indexIds('listings')}
    ${tenant('listings')}

    -- The number of a wallet's open orders of a listing. Incremented under the limit, never recounted.
    create table gateway.open_orders (
      project_id bigint not null,
      wallet text not null,
      listing_id bigint not null,
      open integer not null check (open >= 0),
      primary key (project_id, wallet, listing_id),
      foreign key (project_id, listing_id) references gateway.listings (project_id, id)
    );
    ${tenant('open_orders')}

    create table gateway.auctions (
      id bigint generated always as identity,
      project_id bigint not null references gateway.projects (id),
      asset_id bigint not null,
      chain_id text not null,
      nft_address text not null,
      nft_id text not null,
      nft_type text not null,
      nft_name text not null default '',
      nft_img text not null default '',
      seller text not null,
      quantity bigint not null check (quantity > 0),
      -- all amounts are for the whole quantity
      minimum_bid_amount numeric(78, 0) not null check (minimum_bid_amount > 0),
      -- 0 for none
      buyout_bid_amount numeric(78, 0) not null default 0,
      -- the lowest top bid for a sale; never returned to callers
      reserve_price numeric(78, 0) not null default 0,
      bid_buffer_bps integer not null check (bid_buffer_bps between 0 and 10000),
      time_buffer_seconds integer not null check (time_buffer_seconds >= 0),
      pay_token_address text not null default '',
      pay_token_type text not null default 'NATIVE' check (pay_token_type in ('NATIVE', 'ERC20')),
      pay_token_decimals smallint not null default 18,
      start_time timestamptz not null,
      end_time timestamptz not null,
      top_bid numeric(78, 0) not null default 0,
      top_bidder text not null default '',
      bid_count bigint not null default 0,
      -- INACTIVE: the seller owns too few tokens of an indexed contract, so that there are no bids and no winner.
      -- WON: the order awaits its payment.
      status text not null default 'OPEN' check (status in ('OPEN', 'INACTIVE', 'WON', 'SOLD', 'UNSOLD', 'UNPAID', 'CANCELLED')),
      created_at timestamptz not null default clock_timestamp(),
      updated_at timestamptz not null default clock_timestamp(),
      primary key (project_id, id),
      foreign key (project_id, asset_id) references gateway.assets (project_id, id),
      constraint auctions_end_after_start check (end_time > start_time),
      constraint auctions_bid_within_buyout check (buyout_bid_amount = 0 or top_bid <= buyout_bid_amount),
      constraint auctions_buyout_reaches check
        (buyout_bid_amount = 0 or buyout_bid_amount >= greatest(minimum_bid_amount, reserve_price))
    );
    create index auctions_end on gateway.auctions (end_time, id) where status in ('OPEN', 'INACTIVE');
    create index auctions_asset on gateway.auctions (project_id, asset_id) where status in ('OPEN', 'INACTIVE');
    create index auctions_inactive on gateway.auctions (chain_id, asset_id) where status = 'INACTIVE';
    ${indexIds('auctions')}
    ${tenant('auctions')}

    -- Append-only.
    create table gateway.bids (
      id bigint generated always as identity,
      project_id bigint not null,
      auction_id bigint not null,
      bidder text not null,
      amount numeric(78, 0) not null,
      created_at timestamptz not null default clock_timestamp(),
      primary key (project_id, id),
      foreign key (project_id, auction_id) references gateway.auctions (project_id, id)
    );
    create index bids_auction on gateway.bids (project_id, auction_id, id);
    ${indexIds('bids')}
    ${tenant('bids')}
    revoke update, delete on gateway.bids from mintmark_gateway;

    create table gateway.offers (
      id bigint generated always as identity,
      project_id bigint not null references gateway.projects (id),
      offer_no text not null,
      chain_id text not null,
      nft_address text not null,
      -- '' for any token of the collection
      nft_id text not null default '',
      nft_name text not null default '',
      quantity bigint not null check (quantity > 0),
      offerer text not null,
      -- for the whole quantity
      total_price numeric(78, 0) not null check (total_price > 0),
      -- per unit; 40 digits distinguish any two prices, because a quantity has at most 16
      unit_price numeric(118, 40) generated always as (total_price::numeric(118, 40) / quantity) stored,
      pay_token_address text not null default '',
      pay_token_type text not null default 'NATIVE' check (pay_token_type in ('NATIVE', 'ERC20')),
      pay_token_decimals smallint not null default 18,
      expire_time timestamptz not null,
      status text not null default 'ACTIVE' check (status in ('ACTIVE', 'ACCEPTED', 'REJECTED', 'CANCELLED', 'EXPIRED')),
      -- the owner who accepted or rejected the offer, or ''
      answered_by text not null default '',
      created_at timestamptz not null default clock_timestamp(),
      updated_at timestamptz not null default clock_timestamp(),
      primary key (project_id, id),
      unique (project_id, offer_no)
    );
    create index offers_best on gateway.offers
      (project_id, nft_address, nft_id, chain_id, pay_token_address, unit_price desc, id) where status = 'ACTIVE';
    create index offers_token on gateway.offers (project_id, nft_address, nft_id, id) where status = 'ACTIVE';
    create index offers_token_price on gateway.offers (project_id, nft_address, nft_id, unit_price, id)
      where status = 'ACTIVE';
    create index offers_offerer on gateway.offers (project_id, offerer, id);
    create index offers_offerer_status on gateway.offers (project_id, offerer, status, id);
    create index offers_collection on gateway.offers (project_id, nft_address, id);
    create index offers_answered on gateway.offers (project_id, answered_by, id) where answered_by <> '';
    create index offers_end on gateway.offers (expire_time) where status = 'ACTIVE';
    ${indexIds('offers')}
    ${tenant('offers')}
  `,
}
