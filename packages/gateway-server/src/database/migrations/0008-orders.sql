-- Orders with their payments and events, sales, and reservations of mints. Amounts are in base units.

create table gateway.orders (
  id bigint generated always as identity,
  project_id bigint not null references gateway.projects (id),
  order_no text not null,
  -- 0 PRE, 1 IN_PROGRESS, 2 SUCCESS, 3 FAILED, 4 CANCELLED, 5 EXPIRED, 6 UNRESOLVED
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
  -- what the order sells: at most one of them
  listing_id bigint,
  auction_id bigint,
  offer_id bigint,
  phase_id bigint,
  -- the stock of the listing: never reserved, reserved, released, or sold
  stock text not null default 'none' check (stock in ('none', 'reserved', 'released', 'committed')),
  -- the chain's head when the order was placed; payments are mined later
  placed_at_block bigint not null default 0,
  paid_block bigint not null default 0,
  paid_block_hash text not null default '',
  -- pending: the contract is indexed, and its transfer has not been read
  delivery text not null default '' check (delivery in ('', 'pending', 'done')),
  -- whether several payments may pay the price together until it expires
  partial_payments boolean not null default false,
  -- what its buyer has paid
  paid_amount numeric(78, 0) not null default 0 check (paid_amount >= 0),
  -- the order was paid more than once
  refund_due boolean not null default false,
  -- what recorded refunds moved to the buyer
  refunded_amount numeric(78, 0) not null default 0 check (refunded_amount >= 0),
  -- why the order is FAILED or UNRESOLVED
  reason text not null default '',
  -- in lower case, for searches
  search_key text collate "C" not null default '',
  deleted boolean not null default false,
  -- the caller's own reference; '' if it is not set
  reference text collate "C" not null default '',
  -- the wallet of the key that set the reference; '' for a key without a wallet
  reference_owner text collate "C" not null default '',
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (project_id, id),
  unique (project_id, order_no),
  constraint orders_of_one_sale check (num_nonnulls(listing_id, auction_id, offer_id, phase_id) <= 1),
  foreign key (project_id, listing_id) references gateway.listings (project_id, id),
  foreign key (project_id, auction_id) references gateway.auctions (project_id, id),
  foreign key (project_id, offer_id) references gateway.offers (project_id, id),
  foreign key (project_id, phase_id) references gateway.mint_phases (project_id, id),
  constraint orders_limits check (char_length(reference) <= 100 and char_length(reference_owner) <= 128)
);
-- orders.list
create index orders_all on gateway.orders (project_id, created_at, id) where not deleted;
-- orders.list with a status
create index orders_status on gateway.orders (project_id, status, created_at, id) where not deleted;
-- orders.list of a buyer, orders.removeUnsuccessful
create index orders_recipient on gateway.orders (project_id, recipient, created_at, id) where not deleted;
-- orders.soldList
create index orders_sold on gateway.orders (project_id, sender, created_at, id) where status = 2 and not deleted;
-- orders.nftHistory
create index orders_nft
  on gateway.orders (project_id, nft_address, nft_id, created_at, id) where status = 2 and not deleted;
-- orders.list with a reference
create index orders_reference
  on gateway.orders (project_id, reference, reference_owner, created_at, id) where not deleted and reference <> '';
-- orders.list with a search key
create index orders_search on gateway.orders (project_id, search_key, id) where not deleted;
-- auctions: one order for its winner
create unique index one_order_an_auction on gateway.orders (project_id, auction_id) where auction_id is not null;
-- offers.accept: one order for an offer
create unique index one_order_an_offer on gateway.orders (project_id, offer_id) where offer_id is not null;
-- orders.create: releases what expired orders of the listing, or of the phase, have reserved
create index orders_expiring on gateway.orders (project_id, listing_id, phase_id, expires_at) where status = 0;
-- oldest_unfinished_orders
create index orders_unfinished on gateway.orders (status, created_at) where status in (0, 1, 6);
-- indexer: orders that wait for the transfer of their token; oldest_stuck_orders
create index orders_undelivered on gateway.orders (chain_id, id) where delivery = 'pending';
-- oldest_stuck_orders, orders.list with a refund due
create index orders_refund_due on gateway.orders (project_id, updated_at) where refund_due;

-- When the verifier checks an order next; no row for never. A check moves the time twice, and an order may need a hundred: in
-- gateway.orders, each would write a version of the whole row and an entry in all of its indexes.
create table gateway.order_checks (
  project_id bigint not null,
  order_id bigint not null,
  due_at timestamptz not null,
  primary key (project_id, order_id),
  foreign key (project_id, order_id) references gateway.orders (project_id, id)
) with (
  -- A queue: most rows are dead soon, and vacuum must keep up after a backlog.
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0
);
-- claim_due_orders
create index order_checks_due on gateway.order_checks (project_id, due_at);

-- Transactions reported for an order. A report is a claim: several orders may claim the same transaction, and the chain decides.
-- orders.hash is the newest one.
create table gateway.order_payments (
  project_id bigint not null,
  hash text not null,
  order_id bigint not null,
  reported_at timestamptz not null default clock_timestamp(),
  -- the block that contains the transaction, as a node last returned it; 0 while it is pending
  mined_block bigint not null default 0,
  -- when a node last returned the transaction
  seen_at timestamptz,
  -- the outcome of a final transaction; '' before
  outcome text not null default '',
  -- what the final transaction moved from the buyer to the seller in the order's token, if that is known
  paid_amount numeric(78, 0) not null default 0 check (paid_amount >= 0),
  -- whether the seller owes a refund of it, or has paid that
  refund text not null default '' check (refund in ('', 'due', 'done')),
  refund_amount numeric(78, 0) not null default 0 check (refund_amount >= 0),
  -- what recorded refunds have paid back of it
  refunded_amount numeric(78, 0) not null default 0 check (refunded_amount between 0 and refund_amount),
  -- the transaction that paid it back; '' for a refund in another way
  refund_hash text not null default '' check (octet_length(refund_hash) <= 66),
  primary key (project_id, order_id, hash),
  foreign key (project_id, order_id) references gateway.orders (project_id, id)
);
-- job of orders: the other orders that claim a transaction
create index order_payments_hash on gateway.order_payments (project_id, hash);
-- oldest_stuck_orders
create index order_payments_mismatched
  on gateway.order_payments (reported_at) where outcome not in ('', 'paid', 'reverted', 'unrelated', 'refunded', 'dismissed');

-- The order of a project that a transaction keeps UNRESOLVED, with its stock reserved.
create table gateway.disputed_payments (
  project_id bigint not null,
  hash text not null,
  order_id bigint not null,
  primary key (project_id, hash),
  foreign key (project_id, order_id) references gateway.orders (project_id, id)
);

-- The history of orders. Append-only.
create table gateway.order_events (
  id bigint generated always as identity,
  project_id bigint not null,
  order_id bigint not null,
  event text not null,
  from_status smallint not null,
  to_status smallint not null,
  -- '' for the server, 'caller' for a call, or an operator's name
  actor text not null default '',
  reason text not null default '',
  hash text not null default '',
  created_at timestamptz not null default clock_timestamp(),
  primary key (project_id, order_id, id),
  foreign key (project_id, order_id) references gateway.orders (project_id, id)
);

-- A transaction counts once in a project: as the payment of an order, or as its refund. An operator sees those that count in
-- several projects.
create table gateway.consumed_payments (
  chain_id text not null,
  hash text not null,
  project_id bigint not null,
  order_id bigint not null,
  -- what a refund moved from the seller to the buyer, in the order's token, and its block; 0 for a payment
  refund_amount numeric(78, 0) not null default 0 check (refund_amount >= 0),
  refund_block bigint not null default 0,
  consumed_at timestamptz not null default clock_timestamp(),
  primary key (project_id, chain_id, hash),
  foreign key (project_id, order_id) references gateway.orders (project_id, id)
);
-- list_payment_uses, count_shared_payments: the projects that count a transaction
create index consumed_payments_transaction on gateway.consumed_payments (chain_id, hash, project_id);
-- count_shared_payments
create index consumed_payments_time on gateway.consumed_payments (consumed_at);

create table gateway.sales (
  project_id bigint not null references gateway.projects (id),
  order_id bigint not null,
  market_type smallint not null,
  chain_id text not null,
  nft_address text not null,
  nft_id text not null,
  seller text not null,
  buyer text not null,
  quantity bigint not null,
  -- for the whole quantity
  amount numeric(78, 0) not null,
  pay_token_address text not null,
  hash text not null,
  sold_at timestamptz not null default clock_timestamp(),
  constraint one_sale_an_order primary key (project_id, order_id),
  foreign key (project_id, order_id) references gateway.orders (project_id, id)
);
-- commonSales.statistics
create index sales_contract
  on gateway.sales (project_id, chain_id, nft_address, market_type) include (amount, pay_token_address);

-- The use of a coupon by an order.
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

create table gateway.mint_reservations (
  id bigint generated always as identity,
  project_id bigint not null references gateway.projects (id),
  collection_id bigint not null,
  phase_id bigint not null,
  -- the NFT's id in the table of its program; 0 for the collection's own token
  nft bigint not null default 0,
  recipient text not null,
  quantity bigint not null check (quantity > 0),
  price numeric(78, 0) not null,
  pay_token_address text not null default '',
  -- whether an order must be paid before the signature, which then has the price 0
  needs_order boolean not null default false,
  -- such a reservation ends with its order instead of at expires_at
  order_id bigint,
  -- the wallet's limit in the phase at the time of the reservation; 0 for no limit
  wallet_limit bigint not null default 0,
  status text not null default 'RESERVED' check (status in ('RESERVED', 'SIGNED', 'MINTED', 'RELEASED')),
  -- the end of a reservation without a signature, by the database's clock
  expires_at timestamptz not null,
  minter text not null default '',
  uid text not null default '',
  -- the signed MintRequest
  payload jsonb not null default '{}',
  signature text not null default '',
  -- the chain's head at the time of signing, and the last block whose logs were searched
  from_block bigint not null default 0,
  searched_to bigint not null default 0,
  -- the last block that was read by its hash for this mint after the signature expired; 0 for none
  proven_to bigint not null default 0,
  -- how often the chain did not prove whether the expired signature was used
  undecided_attempts integer not null default 0,
  -- who decided what the chain left undecided, and why; '' if nobody had to
  resolved_by text not null default '' check (length(resolved_by) <= 200),
  resolution text not null default '' check (length(resolution) <= 2000),
  -- the end of the signature by the chain's clock, in Unix seconds
  valid_until bigint not null default 0,
  token_id text not null default '',
  hash text not null default '',
  -- when the chain is read next; null for never
  due_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (project_id, id),
  foreign key (project_id, collection_id) references gateway.mint_collections (project_id, id),
  foreign key (project_id, phase_id) references gateway.mint_phases (project_id, id),
  constraint mint_reservations_ordered check (order_id is null or needs_order),
  foreign key (project_id, order_id) references gateway.orders (project_id, id),
  constraint mint_reservations_limits check (octet_length(payload::text) <= 32768)
);
-- lazyMinting.mint: one reservation for a signature
create unique index mint_reservations_uid on gateway.mint_reservations (project_id, uid) where uid <> '';
-- orders: one mint for an order
create unique index one_mint_an_order
  on gateway.mint_reservations (project_id, order_id) where order_id is not null and status <> 'RELEASED';
-- orders.mint: the newest mint of an order
create index mint_reservations_order on gateway.mint_reservations (project_id, order_id, id) where order_id is not null;
-- lazyMinting.mint: the open mint of a wallet
create index mint_reservations_wallet
  on gateway.mint_reservations (project_id, collection_id, recipient, id) where status in ('RESERVED', 'SIGNED');
-- collections_with_lapsed_mints, and their release
create index mint_reservations_expired
  on gateway.mint_reservations (project_id, collection_id, expires_at) where status = 'RESERVED' and order_id is null;
-- claim_due_mints, undecided_mints
create index mint_reservations_due on gateway.mint_reservations (project_id, due_at) where due_at is not null;
-- lazyMinting.mints, productCards.mints
create index mint_reservations_list
  on gateway.mint_reservations (project_id, collection_id, created_at, id) where uid <> '';
