-- Coupons, listings, auctions and offers. Amounts are in base units.

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
  -- the caller's own reference; '' if it is not set
  reference text collate "C" not null default '',
  -- the wallet of the key that set the reference; '' for a key without a wallet
  reference_owner text collate "C" not null default '',
  -- the next time at which the row changes by itself, set by a trigger; null for none
  time_due_at timestamptz,
  -- the last of these times that pass_times has recorded
  time_passed_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (project_id, id),
  constraint coupons_used_within_maximum check (max_redemptions = 0 or used <= max_redemptions),
  constraint coupons_redeemed_within_used check (redeemed between 0 and used),
  constraint coupons_percent check (coupon_type <> 1 or value <= 10000),
  constraint coupons_end_after_start check (end_time > start_time),
  constraint coupons_limits check (
    char_length(reference) <= 100 and char_length(reference_owner) <= 128
  )
);
-- pass_times: events of times that have passed
create index coupons_time_due on gateway.coupons (time_due_at) where time_due_at is not null;

create table gateway.coupon_codes (
  project_id bigint not null,
  -- in upper case
  code text not null,
  coupon_id bigint not null,
  primary key (project_id, code),
  foreign key (project_id, coupon_id) references gateway.coupons (project_id, id)
);
-- couponCodes.list: the code of a coupon
create index coupon_codes_coupon on gateway.coupon_codes (project_id, coupon_id);

-- The number of a wallet's orders with a coupon. Incremented under the limit, never recounted.
create table gateway.coupon_wallets (
  project_id bigint not null,
  coupon_id bigint not null,
  wallet text not null,
  used bigint not null check (used >= 0),
  primary key (project_id, coupon_id, wallet),
  foreign key (project_id, coupon_id) references gateway.coupons (project_id, id)
);

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
  -- The decimal text of pay_price after the number of its digits, which in the collation "C" has the order of the numbers.
  -- Under row-level security no index serves a condition on a numeric, because its comparisons are not leakproof.
  price_key text collate "C" not null generated always as (lpad(length(pay_price::text)::text, 2, '0') || pay_price::text) stored
    check (length(price_key) <= 80),
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
  -- the caller's own reference; '' if it is not set
  reference text collate "C" not null default '',
  -- the wallet of the key that set the reference; '' for a key without a wallet
  reference_owner text collate "C" not null default '',
  -- the next time at which the row changes by itself, set by a trigger; null for none
  time_due_at timestamptz,
  -- the last of these times that pass_times has recorded
  time_passed_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (project_id, id),
  foreign key (project_id, asset_id) references gateway.assets (project_id, id),
  constraint listings_end_after_start check (end_time > start_time),
  constraint listings_stock check (remaining + reserved + sold = quantity),
  foreign key (project_id, coupon_id) references gateway.coupons (project_id, id),
  constraint listings_limits check (char_length(reference) <= 100 and char_length(reference_owner) <= 128)
);
-- commonSales.list
create index listings_shelf on gateway.listings (project_id, market_type, created_at, id) where status = 'ON';
-- commonSales.list by price
create index listings_shelf_price on gateway.listings (project_id, market_type, price_key, id) where status = 'ON';
-- commonSales.list of a contract, commonSales.collections
create index listings_shelf_contract
  on gateway.listings (project_id, market_type, nft_address, created_at, id) where status = 'ON';
-- commonSales.list of a contract by price
create index listings_shelf_contract_price
  on gateway.listings (project_id, market_type, nft_address, price_key, id) where status = 'ON';
-- commonSales.list of a seller
create index listings_shelf_seller
  on gateway.listings (project_id, market_type, seller, created_at, id) where status = 'ON';
-- limitedTimeCoupons.get: the listings with a coupon
create index listings_coupon on gateway.listings (project_id, coupon_id, id) where coupon_id is not null;
-- indexer: the listings of an asset whose quantity changed
create index listings_asset on gateway.listings (project_id, asset_id) where status in ('ON', 'INACTIVE');
-- indexer: listings that may be covered again
create index listings_inactive on gateway.listings (chain_id, asset_id) where status = 'INACTIVE';
-- ended_listings
create index listings_end on gateway.listings (end_time) where status in ('ON', 'INACTIVE');
-- pass_times: events of times that have passed
create index listings_time_due on gateway.listings (time_due_at) where time_due_at is not null;

-- The number of a wallet's open orders of a listing. Incremented under the limit, never recounted.
create table gateway.open_orders (
  project_id bigint not null,
  wallet text not null,
  listing_id bigint not null,
  open integer not null check (open >= 0),
  primary key (project_id, wallet, listing_id),
  foreign key (project_id, listing_id) references gateway.listings (project_id, id)
);

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
  -- the caller's own reference; '' if it is not set
  reference text collate "C" not null default '',
  -- the wallet of the key that set the reference; '' for a key without a wallet
  reference_owner text collate "C" not null default '',
  -- the next time at which the row changes by itself, set by a trigger; null for none
  time_due_at timestamptz,
  -- the last of these times that pass_times has recorded
  time_passed_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (project_id, id),
  foreign key (project_id, asset_id) references gateway.assets (project_id, id),
  constraint auctions_end_after_start check (end_time > start_time),
  constraint auctions_bid_within_buyout check (buyout_bid_amount = 0 or top_bid <= buyout_bid_amount),
  constraint auctions_buyout_reaches check
    (buyout_bid_amount = 0 or buyout_bid_amount >= greatest(minimum_bid_amount, reserve_price)),
  constraint auctions_limits check (char_length(reference) <= 100 and char_length(reference_owner) <= 128)
);
-- indexer: the auctions of an asset whose quantity changed
create index auctions_asset on gateway.auctions (project_id, asset_id) where status in ('OPEN', 'INACTIVE');
-- indexer: auctions that may be covered again
create index auctions_inactive on gateway.auctions (chain_id, asset_id) where status = 'INACTIVE';
-- ended_auctions
create index auctions_end on gateway.auctions (end_time, id) where status in ('OPEN', 'INACTIVE');
-- pass_times: events of times that have passed
create index auctions_time_due on gateway.auctions (time_due_at) where time_due_at is not null;

-- Append-only.
create table gateway.bids (
  id bigint generated always as identity,
  project_id bigint not null,
  auction_id bigint not null,
  bidder text not null,
  amount numeric(78, 0) not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (project_id, auction_id, id),
  foreign key (project_id, auction_id) references gateway.auctions (project_id, id)
);

create table gateway.offers (
  id bigint generated always as identity,
  project_id bigint not null references gateway.projects (id),
  -- random, so no index has to keep it unique
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
  -- The decimal text of total_price after the number of its digits, which in the collation "C" has the order of the numbers.
  -- Under row-level security no index serves a condition on a numeric, because its comparisons are not leakproof.
  total_key text collate "C" not null generated always as (lpad(length(total_price::text)::text, 2, '0') || total_price::text) stored
    check (length(total_key) <= 80),
  pay_token_address text not null default '',
  pay_token_type text not null default 'NATIVE' check (pay_token_type in ('NATIVE', 'ERC20')),
  pay_token_decimals smallint not null default 18,
  expire_time timestamptz not null,
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'ACCEPTED', 'REJECTED', 'CANCELLED', 'EXPIRED')),
  -- the owner who accepted or rejected the offer, or ''
  answered_by text not null default '',
  -- the caller's own reference; '' if it is not set
  reference text collate "C" not null default '',
  -- the wallet of the key that set the reference; '' for a key without a wallet
  reference_owner text collate "C" not null default '',
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (project_id, id),
  constraint offers_limits check (char_length(reference) <= 100 and char_length(reference_owner) <= 128)
);
-- offers.mine
create index offers_offerer on gateway.offers (project_id, offerer, created_at, id);
-- offers.highestByCollection
create index offers_collection on gateway.offers (project_id, nft_address, created_at, id);
-- offers.forNft, offers.received, offers.maxByTokenType: the highest offer for a token
create index offers_best
  on gateway.offers (project_id, nft_address, nft_id, chain_id, pay_token_address, unit_price desc, id) where status = 'ACTIVE';
-- offers.received: those that a wallet has answered
create index offers_answered on gateway.offers (project_id, answered_by, id) where answered_by <> '';
-- ended_offers
create index offers_end on gateway.offers (expire_time) where status = 'ACTIVE';
