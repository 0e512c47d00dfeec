/** Settlements, what was charged for them, and what operators said about those that nobody else could end. */
export const settlementTables = /* sql */ `
create table facilitator.settlements (
  id bigint generated always as identity primary key,
  order_no text not null unique,
  account_id bigint not null references facilitator.accounts,
  quota_id bigint not null references facilitator.payer_quotas,
  price numeric(78, 0) not null check (price > 0),

  network text not null,
  -- Where the nonce counts: the asset, for EIP-3009.
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
  door text not null,
  idempotency_key text,

  state text not null default 'sent',
  -- What became of the price: a hold ends once, by capture or release; a captured price may be refunded.
  hold text not null default 'held',
  -- Names whoever is working on the row; what they write is guarded by it.
  attempt uuid not null,
  -- Until when the row is theirs; from then on a reconciler may take it. Null: nothing is left to be found out.
  lease_until timestamptz,
  checks integer not null default 0,

  -- The upstream's HTTP status, where one came, and whether it was a well-formed 2xx.
  upstream_status integer,
  upstream_answered boolean not null default false,
  reason text,
  message text,
  transaction text,
  block_number numeric(78, 0),
  block_hash text,
  final_at timestamptz,
  reconciled boolean not null default false,

  -- Success is delivered once: to this call.
  answered_to uuid,
  answered_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,

  constraint one_settlement_a_payment unique (network, domain, payer, nonce),
  constraint the_hold_follows_the_state check (
    (state = 'sent' and hold = 'held')
    or (state = 'unknown' and hold in ('held', 'captured'))
    or (state = 'settled' and hold = 'captured')
    or (state = 'failed' and hold in ('captured', 'released', 'refunded'))),
  constraint settled_names_its_transaction check (state <> 'settled' or transaction is not null),
  constraint ended_says_when check ((state in ('settled', 'failed')) = (ended_at is not null)),
  constraint unfinished_is_looked_after check (state not in ('sent', 'unknown') or lease_until is not null),
  constraint only_success_is_delivered check (answered_at is null or transaction is not null)
);
create index settlements_due on facilitator.settlements (lease_until) where lease_until is not null;
create index settlements_held on facilitator.settlements (quota_id) where hold = 'held';
-- An account's orders, newest first, and those of one state or one payer.
create index settlements_by_account on facilitator.settlements (account_id, created_at, id);
create index settlements_by_state on facilitator.settlements (account_id, state, created_at, id);
create index settlements_by_payer on facilitator.settlements (account_id, payer, created_at, id);

create function facilitator.guard_settlement() returns trigger language plpgsql as $$
begin
  -- A settled payment becomes unknown when a reorganisation takes it off the chain. Failed is the end.
  if not (old.state = 'sent' or (old.state = 'unknown' and new.state in ('settled', 'failed'))
      or (old.state = 'settled' and new.state = 'unknown')) or new.state = 'sent' then
    raise exception 'a settlement does not go from % to %', old.state, new.state using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger states before update of state on facilitator.settlements for each row
  when (old.state is distinct from new.state) execute function facilitator.guard_settlement();
create trigger kept before delete or truncate on facilitator.settlements
  execute function facilitator.refuse_change();

create table facilitator.charges (
  settlement_id bigint primary key references facilitator.settlements,
  account_id bigint not null,
  quota_id bigint not null,
  amount numeric(78, 0) not null check (amount > 0),
  -- What it was charged for: the upstream's 2xx, or the payment found on the chain.
  cause text not null check (cause in ('upstream', 'chain', 'operator')),
  created_at timestamptz not null default clock_timestamp()
);
create trigger append_only before update or delete or truncate on facilitator.charges
  execute function facilitator.refuse_change();

create table facilitator.settlement_resolutions (
  id bigint generated always as identity primary key,
  settlement_id bigint not null references facilitator.settlements,
  outcome text not null check (outcome in ('settled', 'failed')),
  transaction text,
  actor text not null check (actor <> ''),
  reason text not null check (reason <> ''),
  created_at timestamptz not null default clock_timestamp()
);
create trigger append_only before update or delete or truncate on facilitator.settlement_resolutions
  execute function facilitator.refuse_change();
`
