-- The catalog of paid resources (x402 extension `bazaar`).
--
-- A settle stages the description of its resource before the payment is sent. A job publishes what settled.
-- No table refers to `settlements` or `accounts` by a foreign key, whose check would lock a row of the money
-- core.
--
-- An entry is what one account sells under one address, action and price term. `catalog_entries` has what a
-- search compares, in rows of a few hundred bytes; `catalog_documents` has what it returns.

create table facilitator.staged_resources (
  settlement_id bigint primary key,
  account_id bigint not null,
  -- The validated description: ResourceListing.
  listing jsonb not null,
  staged_at timestamptz not null default clock_timestamp(),
  -- When the job next looks at the settlement.
  check_at timestamptz not null default clock_timestamp(),
  -- How often the settlement had not ended, or publishing had failed.
  check_count integer not null default 0
);
-- the job that publishes
create index staged_resources_due on facilitator.staged_resources (check_at);

create table facilitator.catalog_entries (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  -- SHA-256 of what identifies the entry.
  entry_key bytea not null unique,
  type text not null check (type in ('http', 'mcp')),
  pay_to text not null,
  scheme text not null,
  network text not null,
  asset text not null,
  -- The amount of the newest payment, in base units of the asset.
  amount numeric(78, 0) not null,
  words text[] not null,
  -- What a search compares except the amount: the words, which contain no colon, and the columns.
  terms tsvector not null generated always as (array_to_tsvector(words || array['type:' || type, 'pay_to:' || pay_to,
    'scheme:' || scheme, 'network:' || network, 'asset:' || asset])) stored,
  -- SHA-256 of the document, and when it last changed.
  content_hash bytea not null,
  content_changed_at timestamptz not null default clock_timestamp(),
  -- When a payment last had the present description, which others replace only after an interval without one.
  content_confirmed_at timestamptz not null default clock_timestamp(),
  -- The size of the document, so that a page is limited without reading documents.
  document_bytes integer not null default 0,
  settle_count bigint not null,
  first_settled_at timestamptz not null,
  last_settled_at timestamptz not null,
  -- Indexed instead of the time, so that most payments change no index.
  last_settled_on date not null
) with (fillfactor = 90);
-- searches
create index catalog_entries_by_terms on facilitator.catalog_entries using gin (terms) with (fastupdate = off);
-- searches in a narrow range of amounts
create index catalog_entries_by_amount on facilitator.catalog_entries (amount);
-- retention
create index catalog_entries_unpaid on facilitator.catalog_entries (last_settled_on);

create table facilitator.catalog_documents (
  entry_id bigint primary key references facilitator.catalog_entries on delete cascade,
  document jsonb not null
);

-- How many entries an account has. The limit is a guard of the statement that adds one.
create table facilitator.catalog_accounts (
  account_id bigint primary key,
  entries integer not null check (entries >= 0)
);
