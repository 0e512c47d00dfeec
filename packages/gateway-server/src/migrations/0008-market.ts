import type { Migration } from '@mintmark/server-kit'
import { tenant } from './tenant.ts'

/** What lowers a listing's price. Its limits are the coupon's own, whatever code was used. */
const coupons = `
    create table gateway.coupons (
      id bigint generated always as identity primary key,
      project_id bigint not null references gateway.projects (id),
      -- of the listings that it is for: 2 coupon, 3 limited-time coupon, 4 coupon code
      market_type smallint not null check (market_type between 2 and 4),
      -- 1 percent (basis points), 2 amount off, 3 fixed price
      coupon_type smallint not null check (coupon_type between 1 and 3),
      value numeric(78, 0) not null check (value > 0),
      -- what an order must cost without it
      minimum_amount numeric(78, 0) not null default 0 check (minimum_amount >= 0),
      -- 0: any number
      max_redemptions bigint not null default 0 check (max_redemptions >= 0),
      max_per_wallet bigint not null default 0 check (max_per_wallet >= 0),
      -- by orders that were paid and by those that wait
      used bigint not null default 0 check (used >= 0),
      redeemed bigint not null default 0,
      start_time timestamptz not null default clock_timestamp(),
      end_time timestamptz,
      created_at timestamptz not null default clock_timestamp(),
      updated_at timestamptz not null default clock_timestamp(),
      unique (project_id, id),
      constraint coupons_used_within_maximum check (max_redemptions = 0 or used <= max_redemptions),
      constraint coupons_redeemed_within_used check (redeemed between 0 and used),
      constraint coupons_percent check (coupon_type <> 1 or value <= 10000),
      constraint coupons_end_after_start check (end_time > start_time)
    );
    ${tenant('coupons')}

    create table gateway.coupon_codes (
      project_id bigint not null,
      -- upper-case
      code text not null,
      coupon_id bigint not null,
      primary key (project_id, code),
      foreign key (project_id, coupon_id) references gateway.coupons (project_id, id)
    );
    create index coupon_codes_coupon on gateway.coupon_codes (project_id, coupon_id);
    ${tenant('coupon_codes')}

    -- how many of a wallet's orders have a coupon: counted up under its limit, never counted anew
    create table gateway.coupon_wallets (
      project_id bigint not null,
      coupon_id bigint not null,
      wallet text not null,
      used bigint not null check (used >= 0),
      primary key (project_id, coupon_id, wallet),
      foreign key (project_id, coupon_id) references gateway.coupons (project_id, id)
    );
    ${tenant('coupon_wallets')}

    -- what an order has of its coupon
    create table gateway.coupon_uses (
      project_id bigint not null,
      order_id bigint not null,
      coupon_id bigint not null,
      wallet text not null,
      status text not null default 'RESERVED' check (status in ('RESERVED', 'REDEEMED', 'RELEASED')),
      created_at timestamptz not null default clock_timestamp(),
      updated_at timestamptz not null default clock_timestamp(),
      primary key (project_id, order_id),
      foreign key (project_id, order_id) references gateway.orders (project_id, id),
      foreign key (project_id, coupon_id) references gateway.coupons (project_id, id)
    );
    create index coupon_uses_coupon on gateway.coupon_uses (project_id, coupon_id);
    ${tenant('coupon_uses')}

    alter table gateway.listings
      add column coupon_id bigint,
      add foreign key (project_id, coupon_id) references gateway.coupons (project_id, id);
    create index listings_coupon on gateway.listings (project_id, coupon_id, id) where coupon_id is not null;
`

const auctions = `
    create table gateway.auctions (
      id bigint generated always as identity primary key,
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
      -- all amounts are for all of it, in base units
      minimum_bid_amount numeric(78, 0) not null check (minimum_bid_amount > 0),
      -- 0: none
      buyout_bid_amount numeric(78, 0) not null default 0,
      -- what the top bid must reach for a sale; answered to nobody
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
      -- WON: there is an order, which waits for its payment
      status text not null default 'OPEN' check (status in ('OPEN', 'WON', 'SOLD', 'UNSOLD', 'UNPAID', 'CANCELLED')),
      created_at timestamptz not null default clock_timestamp(),
      updated_at timestamptz not null default clock_timestamp(),
      unique (project_id, id),
      foreign key (project_id, asset_id) references gateway.assets (project_id, id),
      constraint auctions_end_after_start check (end_time > start_time),
      constraint auctions_bid_within_buyout check (buyout_bid_amount = 0 or top_bid <= buyout_bid_amount),
      constraint auctions_buyout_reaches check
        (buyout_bid_amount = 0 or buyout_bid_amount >= greatest(minimum_bid_amount, reserve_price))
    );
    create index auctions_end on gateway.auctions (end_time) where status = 'OPEN';
    create index auctions_asset on gateway.auctions (project_id, asset_id) where status = 'OPEN';
    ${tenant('auctions')}

    -- appended, never changed
    create table gateway.bids (
      id bigint generated always as identity primary key,
      project_id bigint not null,
      auction_id bigint not null,
      bidder text not null,
      amount numeric(78, 0) not null,
      created_at timestamptz not null default clock_timestamp(),
      unique (project_id, id),
      foreign key (project_id, auction_id) references gateway.auctions (project_id, id)
    );
    create index bids_auction on gateway.bids (project_id, auction_id, id);
    ${tenant('bids')}
    revoke update, delete on gateway.bids from mintmark_gateway;
`

const offers = `
    create table gateway.offers (
      id bigint generated always as identity primary key,
      project_id bigint not null references gateway.projects (id),
      offer_no text not null,
      chain_id text not null,
      nft_address text not null,
      -- '': any token of the collection
      nft_id text not null default '',
      nft_name text not null default '',
      quantity bigint not null check (quantity > 0),
      offerer text not null,
      -- for all of it, in base units
      total_price numeric(78, 0) not null check (total_price > 0),
      -- of one; two prices that differ do so within 40 digits, for a quantity has at most 16
      unit_price numeric(118, 40) generated always as (total_price::numeric(118, 40) / quantity) stored,
      pay_token_address text not null default '',
      pay_token_type text not null default 'NATIVE' check (pay_token_type in ('NATIVE', 'ERC20')),
      pay_token_decimals smallint not null default 18,
      expire_time timestamptz not null,
      status text not null default 'ACTIVE' check (status in ('ACTIVE', 'ACCEPTED', 'REJECTED', 'CANCELLED', 'EXPIRED')),
      -- the owner who accepted or rejected it; '' while nobody did
      answered_by text not null default '',
      created_at timestamptz not null default clock_timestamp(),
      updated_at timestamptz not null default clock_timestamp(),
      unique (project_id, id),
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
    ${tenant('offers')}
`

const orders = `
    alter table gateway.orders
      add column auction_id bigint,
      add column offer_id bigint,
      add foreign key (project_id, auction_id) references gateway.auctions (project_id, id),
      add foreign key (project_id, offer_id) references gateway.offers (project_id, id),
      add constraint orders_of_one_sale check (num_nonnulls(listing_id, auction_id, offer_id) <= 1);
    create unique index one_order_an_auction on gateway.orders (project_id, auction_id) where auction_id is not null;
    create unique index one_order_an_offer on gateway.orders (project_id, offer_id) where offer_id is not null;
`

/* As `ended_listings`: the job works for every project, and its role sees one at a time. */
const acrossProjects = `
    create function gateway.ended_auctions(how_many integer)
    returns table (project_id bigint, auction_id bigint)
    language sql stable security definer set search_path = pg_catalog, pg_temp as $$
      select a.project_id, a.id from gateway.auctions a
      where a.status = 'OPEN' and a.end_time <= clock_timestamp()
      order by a.end_time limit how_many
    $$;
    revoke all on function gateway.ended_auctions(integer) from public;
    grant execute on function gateway.ended_auctions(integer) to mintmark_gateway;

    create function gateway.ended_offers(how_many integer)
    returns table (project_id bigint, offer_id bigint)
    language sql stable security definer set search_path = pg_catalog, pg_temp as $$
      select o.project_id, o.id from gateway.offers o
      where o.status = 'ACTIVE' and o.expire_time <= clock_timestamp()
      order by o.expire_time limit how_many
    $$;
    revoke all on function gateway.ended_offers(integer) from public;
    grant execute on function gateway.ended_offers(integer) to mintmark_gateway;
`

/** Coupons, auctions and offers, and the orders that come of them. */
export const market: Migration = {
  id: '0008_market',
  up: [coupons, auctions, offers, orders, acrossProjects].join('\n'),
}
