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

/**
 * Takes the price of many settlements from one account, in one statement: it waits for the account's and the quota's
 * rows, then grants exactly as many of the items as both can pay, and writes those as `sent` with their holds.
 *
 * An item that stands already under the same attempt is granted without a second hold: after a connection was lost at
 * COMMIT, the same statement is simply sent again. `fresh` tells the two apart.
 */
export const reserveFunction = /* sql */ `
create function facilitator.reserve_settlements(the_account bigint, the_price numeric, lease interval, items jsonb)
returns table (attempt uuid, settlement_id bigint, granted boolean, fresh boolean, shortage text,
               available numeric, remaining numeric, quota_limit numeric, quota_nonce numeric)
language plpgsql as $$
declare
  account facilitator.accounts%rowtype;
  quota facilitator.payer_quotas%rowtype;
  epoch numeric;
  quota_left numeric := 0;
  room integer;
  added bigint[];
  taken bigint[] := '{}';
begin
  select * into strict account from facilitator.accounts a where a.id = the_account for no key update;
  select * into quota from facilitator.payer_quotas q
    where q.account_id = the_account and q.ended_at is null for no key update;
  -- Read after the locks were waited for: a quota that ran out meanwhile has run out.
  epoch := extract(epoch from clock_timestamp());
  if quota.id is not null and epoch >= quota.valid_after and epoch < quota.valid_before then
    quota_left := quota.limit_amount - quota.used;
  end if;
  room := case when account.frozen_at is not null then 0
    else least(div(account.available, the_price), div(quota_left, the_price), jsonb_array_length(items)) end;

  -- Each round has a snapshot of its own, so that what a conflict took from one round, the next can grant.
  while room > 0 loop
    with inserted as (
      insert into facilitator.settlements (order_no, account_id, quota_id, price, network, domain, payer, nonce,
        fingerprint, wire_network, x402_version, scheme, asset, pay_to, amount, valid_before, door, idempotency_key,
        attempt, lease_until)
      select i.order_no, the_account, quota.id, the_price, i.network, i.domain, i.payer, i.nonce,
        i.fingerprint, i.wire_network, i.x402_version, i.scheme, i.asset, i.pay_to, i.amount, i.valid_before, i.door,
        i.idempotency_key, i.attempt, clock_timestamp() + lease
      from jsonb_to_recordset(items) as i (order_no text, network text, domain text, payer text, nonce text,
        fingerprint text, wire_network text, x402_version smallint, scheme text, asset text, pay_to text,
        amount numeric, valid_before numeric, door text, idempotency_key text, attempt uuid)
      where not exists (select from facilitator.settlements s
        where s.network = i.network and s.domain = i.domain and s.payer = i.payer and s.nonce = i.nonce)
      -- One order for everybody: two batches that want the same payments wait for each other instead of locking up.
      order by i.network, i.domain, i.payer, i.nonce
      limit room
      on conflict on constraint one_settlement_a_payment do nothing
      returning id
    ), held as (
      insert into facilitator.ledger_transfers (kind, debit, credit, amount, account_id, quota_id, settlement_id)
      select 'hold', 'available', 'held', the_price, the_account, quota.id, inserted.id from inserted
    )
    select coalesce(array_agg(inserted.id), '{}') into added from inserted;
    exit when cardinality(added) = 0;
    taken := taken || added;
    room := room - cardinality(added);
  end loop;

  if cardinality(taken) > 0 then
    update facilitator.accounts a set available = a.available - the_price * cardinality(taken)
      where a.id = the_account returning a.available into account.available;
    update facilitator.payer_quotas q set used = q.used + the_price * cardinality(taken) where q.id = quota.id;
    quota_left := quota_left - the_price * cardinality(taken);
  end if;

  return query
    select i.attempt, s.id, coalesce(s.attempt = i.attempt and s.state = 'sent', false), s.id = any (taken),
      case when s.id is not null then null
        when account.frozen_at is not null then 'frozen'
        when account.available < the_price then 'balance'
        else 'quota' end,
      account.available, quota_left, quota.limit_amount, quota.nonce
    from jsonb_to_recordset(items) as i (network text, domain text, payer text, nonce text, attempt uuid)
    left join facilitator.settlements s
      on s.network = i.network and s.domain = i.domain and s.payer = i.payer and s.nonce = i.nonce;
end $$;
`
