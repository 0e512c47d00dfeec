-- Settlements, their charges, and the decisions of operators about settlements whose outcome could not be
-- found out.
--
-- Settlements and charges have no foreign keys, as the ledger's transfers have none: the check is a query per
-- row. `reserve_settlements` copies the ids from rows that it has locked or read in the same statement,
-- triggers refuse to delete these rows, and `ledger check` finds settlements without an account or a quota.

create table facilitator.settlements (
  id bigint generated always as identity primary key,
  order_no text not null unique,
  account_id bigint not null,
  quota_id bigint not null,
  price numeric(78, 0) not null check (price > 0),

  network text not null,
  -- What keeps the nonce: the asset, or another contract.
  domain text not null,
  payer text not null,
  nonce text not null,
  fingerprint text not null,
  wire_network text not null,
  x402_version smallint not null,
  scheme text not null,
  asset text not null,
  pay_to text not null,
  amount numeric(78, 0) not null,
  valid_before numeric(78, 0) not null,
  -- The HTTP API that received the request.
  api text not null,
  idempotency_key text,
  -- The payer's identifier of what the payment is for. A payment that failed or was not sent leaves its
  -- identifier to another one.
  payment_identifier text,
  -- What the payment pays for, by which the account's revenue is added up. Empty: the payment names no URL.
  resource text not null default '',
  -- Whether the payment has an approval for itself only, which replaces what the payer has approved.
  own_allowance boolean not null default false,
  -- 'account': the payer has signed nothing, so that every account could block it by its reverts. The account
  -- also answers for transactions that succeeded and changed nothing.
  reverts_count_for text not null default 'payer' check (reverts_count_for in ('payer', 'account')),
  -- What a refund gives back, in base units of the asset, and the nonce of the payment that it belongs to.
  refund_amount numeric(78, 0),
  refund_of text,

  -- Who executes the payment. Only with the built-in upstream does a missing transaction prove that nothing was sent.
  upstream text not null default 'remote' check (upstream in ('built-in', 'remote')),
  -- How many times the price was held for the payment. Each reservation has its own transfers, so the ledger is append-only.
  reservation integer not null default 1,
  reserved_at timestamptz not null default clock_timestamp(),
  -- A block that the chain had before the settlement was reserved. Null: none was known.
  reserved_block numeric(78, 0),

  state text not null default 'sent',
  -- A hold is captured or released once. A captured price can be refunded.
  hold text not null default 'held',
  -- The call or the reconciler that owns the row. Guards what it writes.
  attempt uuid not null,
  -- The owner loses the row at this time, and a reconciler may claim it. Null: nothing is left to find out.
  lease_until timestamptz,
  check_count integer not null default 0,

  -- The HTTP status of the upstream's response, if any, and whether the response was a well-formed 2xx.
  upstream_status integer,
  upstream_responded boolean not null default false,
  reason text,
  message text,
  transaction text,
  block_number numeric(78, 0),
  block_hash text,
  final_at timestamptz,
  reconciled boolean not null default false,

  -- Success is delivered once, to this call.
  delivered_to uuid,
  delivered_at timestamptz,
  -- The calls that may have claimed the delivery and responded without the success.
  undelivered_to uuid[],
  created_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,

  -- The nonce first: it differs between payments, so that a comparison of keys ends at the first column.
  constraint settlements_unique_payment unique (nonce, payer, domain, network),
  constraint settlements_hold_matches_state check (
    (state = 'sent' and hold = 'held')
    or (state = 'not_sent' and hold = 'released')
    or (state = 'unknown' and hold in ('held', 'captured'))
    or (state = 'settled' and hold = 'captured')
    or (state = 'failed' and hold in ('captured', 'released', 'refunded'))),
  constraint settlements_settled_has_transaction check (state <> 'settled' or transaction is not null),
  constraint settlements_ended_has_time check ((state in ('settled', 'failed')) = (ended_at is not null)),
  constraint settlements_unfinished_has_lease check (state not in ('sent', 'unknown') or lease_until is not null),
  constraint settlements_delivered_has_transaction check (delivered_at is null or transaction is not null)
);
-- what reconcilers claim
create index settlements_due on facilitator.settlements (lease_until) where lease_until is not null;
-- the held prices of a quota, and the oldest settlement in each unfinished state
create index settlements_open on facilitator.settlements (quota_id, state, reserved_at) where state in ('sent', 'unknown');
-- The payments of a payer that a balance may not reflect yet. The index also has the block and the upstream,
-- by which amount_in_flight leaves out settled payments without reading their rows.
create index settlements_in_flight on facilitator.settlements (network, asset, payer, ended_at, block_number, upstream)
  where state in ('sent', 'unknown', 'settled') and final_at is null;
-- The identifier is unique among payments that were or may still be executed. reserve_settlements keeps it so
-- under the lock of the account, which every payment with the same identifier needs.
create unique index settlements_unique_identifier on facilitator.settlements (payment_identifier, account_id, payer)
  where payment_identifier is not null and state in ('sent', 'unknown', 'settled');
-- the orders of an account, newest first
create index settlements_by_account on facilitator.settlements (account_id, created_at, id);
-- the orders of an account with one state
create index settlements_by_state on facilitator.settlements (account_id, state, created_at, id);
-- the orders of an account with one payer
create index settlements_by_payer on facilitator.settlements (account_id, payer, created_at, id);
-- An operator's search by a transaction. Settles with the built-in upstream do not write it.
create index settlements_by_remote_transaction on facilitator.settlements (transaction)
  where upstream = 'remote' and transaction is not null;
-- the refunds of a payment
create index settlements_refunds on facilitator.settlements (refund_of, payer) where refund_of is not null;
-- transactions that changed nothing, which count as reverts of their accounts
create index settlements_failed_operations on facilitator.settlements (ended_at, account_id)
  where state = 'failed' and reverts_count_for = 'account';
-- Such transactions whose outcome is unknown until their block is final. They count as soon as they are mined.
create index settlements_unknown_operations on facilitator.settlements (account_id)
  where state = 'unknown' and reverts_count_for = 'account';

-- One row per payer and asset, locked while payments are reserved, so that concurrent reservations count each other.
create table facilitator.payer_locks (
  network text not null,
  asset text not null,
  payer text not null,
  primary key (network, asset, payer)
);

create table facilitator.charges (
  settlement_id bigint primary key,
  account_id bigint not null,
  quota_id bigint not null,
  amount numeric(78, 0) not null check (amount > 0),
  -- The reason for the charge: the upstream's 2xx, the payment on the chain, or an operator's decision.
  cause text not null check (cause in ('upstream', 'chain', 'operator')),
  created_at timestamptz not null default clock_timestamp()
);

create table facilitator.settlement_resolutions (
  id bigint generated always as identity primary key,
  settlement_id bigint not null references facilitator.settlements,
  outcome text not null check (outcome in ('settled', 'failed')),
  transaction text,
  actor text not null check (actor <> ''),
  reason text not null check (reason <> ''),
  created_at timestamptz not null default clock_timestamp()
);

-- Operators' decisions that earlier reverted transactions of a payer or an account no longer count.
create table facilitator.revert_clearances (
  -- 'payer/' and the wallet, or 'account/' and the id.
  subject text primary key,
  -- Transactions that were signed before do not count.
  cleared_at timestamptz not null,
  actor text not null,
  reason text not null
);

-- The newest block that was seen of each network.
create table facilitator.chain_heads (
  network text primary key,
  block_number numeric(78, 0) not null,
  observed_at timestamptz not null default clock_timestamp()
);

-- The items of a reservation. Rows, because JSON costs twice as much to read.
create type facilitator.requested_settlement as (
  account_id bigint,
  order_no text,
  network text,
  domain text,
  payer text,
  nonce text,
  fingerprint text,
  wire_network text,
  x402_version smallint,
  scheme text,
  asset text,
  pay_to text,
  amount numeric,
  valid_before numeric,
  api text,
  idempotency_key text,
  upstream text,
  attempt uuid,
  -- The payer's balance, the block of its reading, and how long ago it was read. Null: not read.
  balance numeric,
  at_block numeric,
  read_age_ms float8,
  -- What the payer has approved, as of the block of the balance. Null: the payment needs no approval, or has
  -- one of its own.
  allowance numeric,
  own_allowance boolean,
  payment_identifier text,
  reverts_count_for text,
  refund_amount numeric,
  refund_of text,
  resource text
);

-- The items of a transition.
create type facilitator.requested_transition as (
  id bigint,
  attempt uuid,
  from_state text,
  from_hold text,
  state text,
  hold text,
  -- Null: the price does not move.
  move text,
  debit text,
  credit text,
  cause text,
  transaction text,
  reason text,
  message text,
  upstream_status integer,
  upstream_responded boolean,
  block_number numeric,
  block_hash text,
  final boolean,
  reconciled boolean,
  deliver_to uuid,
  -- Null: nothing is left to find out.
  lease_seconds float8
);

-- What a transition returns of the changed settlements.
create type facilitator.changed_settlement as (
  id bigint,
  state text,
  hold text,
  order_no text,
  payer text,
  amount numeric,
  transaction text,
  upstream_status integer,
  reason text,
  message text
);
