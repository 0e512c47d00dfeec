import type { Migration } from '@mintmark/server-kit'
import { indexIds, tenant } from './tenant.ts'

/** Orders with their payments and events, and sales. Amounts are in base units. */
export const orders: Migration = {
  id: '0008_orders',
  up: `
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
      stock text not null default 'none' check (stock in ('none', 'held', 'released', 'taken')),
      -- the chain's head when the order was placed; payments are mined later
      placed_at_block bigint not null default 0,
      paid_block bigint not null default 0,
      paid_block_hash text not null default '',
      -- pending: the contract is indexed, and its transfer has not been read
      delivery text not null default '' check (delivery in ('', 'pending', 'done')),
      -- the order was paid more than once
      refund_due boolean not null default false,
      -- why the order is FAILED or UNRESOLVED
      reason text not null default '',
      -- in lower case, for searches
      search_key text collate "C" not null default '',
      -- when the verifier reads the order's transactions next; null for never
      due_at timestamptz,
      deleted boolean not null default false,
      created_at timestamptz not null default clock_timestamp(),
      updated_at timestamptz not null default clock_timestamp(),
      primary key (project_id, id),
      unique (project_id, order_no),
      constraint orders_of_one_sale check (num_nonnulls(listing_id, auction_id, offer_id, phase_id) <= 1),
      foreign key (project_id, listing_id) references gateway.listings (project_id, id),
      foreign key (project_id, auction_id) references gateway.auctions (project_id, id),
      foreign key (project_id, offer_id) references gateway.offers (project_id, id),
      foreign key (project_id, phase_id) references gateway.mint_phases (project_id, id)
    );
    create index orders_due on gateway.orders (due_at) where due_at is not null;
    create index orders_unfinished on gateway.orders (status, created_at) where status in (0, 1, 6);
    create index orders_expiring on gateway.orders (project_id, listing_id, expires_at) where status = 0;
    create index orders_all on gateway.orders (project_id, id) where not deleted;
    create index orders_status on gateway.orders (project_id, status, id) where not deleted;
    create index orders_market on gateway.orders (project_id, market_type, id) where not deleted;
    create index orders_recipient on gateway.orders (project_id, recipient, id) where not deleted;
    create index orders_recipient_status on gateway.orders (project_id, recipient, status, id) where not deleted;
    create index orders_search on gateway.orders (project_id, search_key, id) where not deleted;
    create index orders_sold on gateway.orders (project_id, sender, id) where status = 2 and not deleted;
    create index orders_nft on gateway.orders (project_id, nft_address, nft_id, id) where status = 2 and not deleted;
    create unique index one_order_an_auction on gateway.orders (project_id, auction_id) where auction_id is not null;
    create unique index one_order_an_offer on gateway.orders (project_id, offer_id) where offer_id is not null;
    create index orders_undelivered on gateway.orders (chain_id, id) where delivery = 'pending';
    create index orders_expiring_mints on gateway.orders (project_id, phase_id, expires_at)
      where status = 0 and phase_id is not null;
    ${indexIds('orders')}
    ${tenant('orders')}

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
      verdict text not null default '',
      primary key (project_id, order_id, hash),
      foreign key (project_id, order_id) references gateway.orders (project_id, id)
    );
    create index order_payments_hash on gateway.order_payments (project_id, hash);
    ${tenant('order_payments')}

    -- The order of a project that a transaction keeps UNRESOLVED, with its stock reserved.
    create table gateway.disputed_payments (
      project_id bigint not null,
      hash text not null,
      order_id bigint not null,
      primary key (project_id, hash),
      foreign key (project_id, order_id) references gateway.orders (project_id, id)
    );
    create index disputed_payments_order on gateway.disputed_payments (project_id, order_id);
    ${tenant('disputed_payments')}

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
      primary key (project_id, id),
      foreign key (project_id, order_id) references gateway.orders (project_id, id)
    );
    create index order_events_order on gateway.order_events (project_id, order_id, id);
    ${indexIds('order_events')}
    ${tenant('order_events')}
    revoke update, delete on gateway.order_events from mintmark_gateway;

    -- A payment counts for one order of one project. The key is global, so that no two projects count the same transaction.
    create table gateway.consumed_payments (
      chain_id text not null,
      hash text not null,
      project_id bigint not null,
      order_id bigint not null,
      consumed_at timestamptz not null default clock_timestamp(),
      primary key (chain_id, hash),
      foreign key (project_id, order_id) references gateway.orders (project_id, id)
    );
    create index consumed_payments_order on gateway.consumed_payments (project_id, order_id);
    ${tenant('consumed_payments')}

    create table gateway.sales (
      id bigint generated always as identity,
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
      primary key (project_id, id),
      constraint one_sale_an_order unique (project_id, order_id),
      foreign key (project_id, order_id) references gateway.orders (project_id, id)
    );
    create index sales_contract on gateway.sales (project_id, chain_id, nft_address, market_type) include (amount, pay_token_address);
    create index sales_nft on gateway.sales (project_id, nft_address, nft_id, id);
    ${indexIds('sales')}
    ${tenant('sales')}

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
    create index coupon_uses_coupon on gateway.coupon_uses (project_id, coupon_id);
    ${tenant('coupon_uses')}
  `,
}
