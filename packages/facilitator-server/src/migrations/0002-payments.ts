import type { Migration } from '@mintmark/server-kit'

/**
 * Settlements, their charges, and the decisions of operators about settlements whose outcome could not be
 * found out.
 */
export const paymentsBaseline: Migration = {
  id: '0002_baseline_payments',
  up: /* sql */ `
create table facilitator.settlements (
  id bigint generated always as identity primary key,
  order_no text not null unique,
  account_id bigint not null references facilitator.accounts,
  quota_id bigint not null references facilitator.payer_quotas,
  price numeric(78, 0) not null check (price > 0),

  network text not null,
  -- The scope of the nonce: the asset, for EIP-3009.
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

  -- Who executes the payment. Only with the built-in upstream does a missing transaction prove that nothing was sent.
  upstream text not null default 'remote' check (upstream in ('built-in', 'remote')),
  -- How many times the price was held for the payment. Each reservation has its own transfers, so the ledger is append-only.
  reservation integer not null default 1,
  reserved_at timestamptz not null default clock_timestamp(),

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
  created_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,

  constraint settlements_unique_payment unique (network, domain, payer, nonce),
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
create index settlements_due on facilitator.settlements (lease_until) where lease_until is not null;
create index settlements_held on facilitator.settlements (quota_id) where hold = 'held';
create index settlements_in_flight on facilitator.settlements (network, asset, payer, ended_at)
  where state in ('sent', 'unknown', 'settled') and final_at is null;
-- The orders of an account, newest first, and those with one state or one payer.
create index settlements_by_account on facilitator.settlements (account_id, created_at, id);
create index settlements_by_state on facilitator.settlements (account_id, state, created_at, id);
create index settlements_by_payer on facilitator.settlements (account_id, payer, created_at, id);

-- One row per payer and asset, locked while payments are reserved, so that concurrent reservations count each other.
create table facilitator.payer_locks (
  network text not null,
  asset text not null,
  payer text not null,
  primary key (network, asset, payer)
);

create table facilitator.charges (
  settlement_id bigint primary key references facilitator.settlements,
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
`,
}
