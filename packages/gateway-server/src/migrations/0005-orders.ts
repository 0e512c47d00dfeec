import type { Migration } from '@mintmark/server-kit'
import { ownership } from './0005-ownership.ts'
import { tenant } from './tenant.ts'

/** What a listing is, and what an order takes of it. */
const listings = `
    create table gateway.listings (
      id bigint generated always as identity primary key,
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
      -- what open orders wait to pay for
      reserved bigint not null default 0 check (reserved >= 0),
      sold bigint not null default 0 check (sold >= 0),
      -- of one, in base units
      pay_price numeric(78, 0) not null check (pay_price > 0),
      pay_token_address text not null default '',
      pay_token_type text not null default 'NATIVE' check (pay_token_type in ('NATIVE', 'ERC20')),
      pay_token_decimals smallint not null default 18,
      start_time timestamptz not null default clock_timestamp(),
      end_time timestamptz not null,
      -- the only wallets that may buy; empty: all
      reserved_for text[] not null default '{}',
      -- INACTIVE: an indexed balance falls short. A listing past its end_time is shown as EXPIRED before it is one.
      status text not null default 'ON' check (status in ('ON', 'INACTIVE', 'SOLD', 'OFF', 'EXPIRED')),
      created_at timestamptz not null default clock_timestamp(),
      updated_at timestamptz not null default clock_timestamp(),
      unique (project_id, id),
      foreign key (project_id, asset_id) references gateway.assets (project_id, id),
      constraint listings_end_after_start check (end_time > start_time),
      constraint listings_stock check (remaining + reserved + sold = quantity)
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
    ${tenant('listings')}

    -- how many open orders a wallet has of a listing: counted up under its limit, never counted anew
    create table gateway.open_orders (
      project_id bigint not null,
      wallet text not null,
      listing_id bigint not null,
      open integer not null check (open >= 0),
      primary key (project_id, wallet, listing_id),
      foreign key (project_id, listing_id) references gateway.listings (project_id, id)
    );
    ${tenant('open_orders')}
`

const orders = `
    alter table gateway.orders
      add column listing_id bigint,
      -- what the order has of its listing: nothing ever, reserved, given back, or sold for good
      add column stock text not null default 'none' check (stock in ('none', 'held', 'released', 'taken')),
      -- the chain's newest block when the order was made: its payment comes after
      add column placed_at_block bigint not null default 0,
      add column paid_block bigint not null default 0,
      add column paid_block_hash text not null default '',
      -- pending: the contract is indexed, and the chain has not shown the transfer yet
      add column delivery text not null default '' check (delivery in ('', 'pending', 'done')),
      -- it was paid more than once
      add column refund_due boolean not null default false,
      -- why it is FAILED or UNRESOLVED
      add column reason text not null default '',
      -- in lower case: what lists are searched by
      add column search_key text collate "C" not null default '',
      -- when the order is to be looked at next; null: never
      add column due_at timestamptz,
      add foreign key (project_id, listing_id) references gateway.listings (project_id, id);
    -- a demo's order, made before there were listings, is looked at as all are
    update gateway.orders set due_at = case status when 0 then expires_at else clock_timestamp() end
      where status in (0, 1);
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

    alter table gateway.order_payments
      -- while the node knows it: the block that holds it; 0 while it waits for one
      add column mined_block bigint not null default 0,
      -- when a node last knew it
      add column seen_at timestamptz,
      -- what the chain says of it: '' until it is final
      add column outcome text not null default '';
    create index order_payments_order on gateway.order_payments (project_id, order_id);

    -- what became of orders, and by whom: appended, never changed
    create table gateway.order_events (
      id bigint generated always as identity primary key,
      project_id bigint not null,
      order_id bigint not null,
      event text not null,
      from_status smallint not null,
      to_status smallint not null,
      -- who: '' for the server itself, a wallet's call for 'caller', an operator's name
      actor text not null default '',
      reason text not null default '',
      hash text not null default '',
      created_at timestamptz not null default clock_timestamp(),
      foreign key (project_id, order_id) references gateway.orders (project_id, id)
    );
    create index order_events_order on gateway.order_events (project_id, order_id, id);
    ${tenant('order_events')}
    revoke update, delete on gateway.order_events from mintmark_gateway;

    -- a payment counts once, in the world: the key is global, and each project sees its own rows alone
    create table gateway.consumed_payments (
      chain_id text not null,
      hash text not null,
      project_id bigint not null,
      order_id bigint not null,
      consumed_at timestamptz not null default clock_timestamp(),
      primary key (chain_id, hash),
      foreign key (project_id, order_id) references gateway.orders (project_id, id)
    );
    create unique index consumed_payments_order on gateway.consumed_payments (project_id, order_id);
    ${tenant('consumed_payments')}

    create table gateway.sales (
      id bigint generated always as identity primary key,
      project_id bigint not null references gateway.projects (id),
      order_id bigint not null,
      market_type smallint not null,
      chain_id text not null,
      nft_address text not null,
      nft_id text not null,
      seller text not null,
      buyer text not null,
      quantity bigint not null,
      -- for all of it, in base units
      amount numeric(78, 0) not null,
      pay_token_address text not null,
      hash text not null,
      sold_at timestamptz not null default clock_timestamp(),
      unique (project_id, id),
      constraint one_sale_an_order unique (project_id, order_id),
      foreign key (project_id, order_id) references gateway.orders (project_id, id)
    );
    create index sales_contract on gateway.sales (project_id, chain_id, nft_address, market_type) include (amount, pay_token_address);
    create index sales_nft on gateway.sales (project_id, nft_address, nft_id, id);
    ${tenant('sales')}
`

/*
 * The verifier works for every project, and its role sees one at a time: these functions run as the schema's owner and tell it which
 * orders are due, by id alone.
 */
const acrossProjects = `
    create function gateway.claim_due_orders(how_many integer, lease interval)
    returns table (project_id bigint, order_id bigint)
    language sql security definer set search_path = pg_catalog, pg_temp as $$
      update gateway.orders o set due_at = clock_timestamp() + lease
      from (
        select d.id from gateway.orders d where d.due_at <= clock_timestamp()
        order by d.due_at limit how_many for update skip locked
      ) due
      where o.id = due.id
      returning o.project_id, o.id
    $$;
    revoke all on function gateway.claim_due_orders(integer, interval) from public;
    grant execute on function gateway.claim_due_orders(integer, interval) to mintmark_gateway;

    create function gateway.ended_listings(how_many integer)
    returns table (project_id bigint, listing_id bigint)
    language sql stable security definer set search_path = pg_catalog, pg_temp as $$
      select l.project_id, l.id from gateway.listings l
      where l.status in ('ON', 'INACTIVE') and l.end_time <= clock_timestamp()
      order by l.end_time limit how_many
    $$;
    revoke all on function gateway.ended_listings(integer) from public;
    grant execute on function gateway.ended_listings(integer) to mintmark_gateway;

    -- the age in seconds of the oldest order in each state that is not an end
    create function gateway.oldest_unfinished_orders()
    returns table (status smallint, seconds double precision)
    language sql stable security definer set search_path = pg_catalog, pg_temp as $$
      select s.status, coalesce(extract(epoch from clock_timestamp() - (
        select o.created_at from gateway.orders o where o.status = s.status order by o.created_at limit 1
      )), 0)::double precision
      from (values (0::smallint), (1::smallint), (6::smallint)) s (status)
    $$;
    revoke all on function gateway.oldest_unfinished_orders() from public;
    grant execute on function gateway.oldest_unfinished_orders() to mintmark_gateway;
`

/** Who owns and holds what, the shelf, and orders with their payments. */
export const orderTables: Migration = {
  id: '0005_orders',
  up: [ownership, listings, orders, acrossProjects].join('\n'),
}
