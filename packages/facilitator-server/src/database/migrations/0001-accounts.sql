-- Who pays: accounts (one paying wallet each), their API keys and the quotas that the wallets signed.
--
-- `accounts.available` and `payer_quotas.used` are the only stored balances. Holds and revenue follow from
-- `ledger_transfers`: a stored revenue would make the settles of all accounts wait for one row.

create table facilitator.accounts (
  id bigint generated always as identity primary key,
  payer text not null unique check (payer ~ '^0x[0-9a-f]{40}$'),
  name text not null default '',
  available numeric(78, 0) not null default 0,
  next_quota_nonce numeric(78, 0) not null default 0,
  frozen_at timestamptz,
  frozen_reason text,
  -- A freeze by a reversed deposit ends when the deposit is credited again. An operator's freeze does not.
  frozen_by_reversal boolean not null default false,
  -- How long a settle may wait for others of one transaction. 0: a settle is never batched.
  batch_delay_ms integer not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  constraint accounts_available_not_negative check (available >= 0),
  constraint accounts_batch_delay_in_range check (batch_delay_ms between 0 and 5000),
  constraint accounts_frozen_has_reason check ((frozen_at is null) = (frozen_reason is null)),
  constraint accounts_reversal_is_frozen check (frozen_at is not null or not frozen_by_reversal)
);

create table facilitator.api_keys (
  id bigint generated always as identity primary key,
  account_id bigint not null references facilitator.accounts,
  name text not null default '',
  -- The first characters of the token, by which people distinguish keys.
  prefix text not null,
  token_hash bytea not null unique,
  created_at timestamptz not null default clock_timestamp(),
  -- In the future after a rotation: the previous key works until then.
  revoked_at timestamptz
);
-- the keys of an account: rotation, and the list that operators read
create index api_keys_by_account on facilitator.api_keys (account_id, id);

-- The proofs by which wallets opened their accounts, and got keys later, without an operator.
create table facilitator.account_openings (
  -- The digest that the wallet signed: a proof is accepted once.
  proof bytea primary key,
  account_id bigint not null references facilitator.accounts,
  -- The key that the proof was exchanged for. The next proof revokes it.
  key_id bigint not null references facilitator.api_keys,
  -- The trial. Null: the account existed.
  credit numeric(78, 0) check (credit >= 0),
  -- Where a new account was opened from: an IPv4 address, or the first half of an IPv6 address. A job deletes it after a day.
  address text,
  created_at timestamptz not null default clock_timestamp()
);
-- An account has one trial.
create unique index account_openings_one_trial on facilitator.account_openings (account_id) where credit is not null;
-- the keys of a wallet, and how many it got in a day: the next opening
create index account_openings_by_account on facilitator.account_openings (account_id, created_at);
-- the accounts that all callers, or one address, opened in a day
create index account_openings_by_time on facilitator.account_openings (created_at);

create table facilitator.payer_quotas (
  id bigint generated always as identity primary key,
  account_id bigint not null references facilitator.accounts,
  payer text not null,
  limit_amount numeric(78, 0) not null check (limit_amount > 0),
  -- Charges and holds together.
  used numeric(78, 0) not null default 0,
  -- Seconds since the epoch, as signed.
  valid_after numeric(20, 0) not null,
  valid_before numeric(20, 0) not null,
  nonce numeric(78, 0) not null,
  signature text not null,
  created_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  ended_by text check (ended_by in ('replaced', 'revoked')),
  revocation_nonce numeric(78, 0),
  revocation_signature text,
  unique (account_id, nonce),
  constraint payer_quotas_used_within_limit check (used >= 0 and used <= limit_amount),
  constraint payer_quotas_ended_has_cause check ((ended_at is null) = (ended_by is null))
);
-- the quota that a settle uses
create unique index payer_quotas_one_active_per_account on facilitator.payer_quotas (account_id) where ended_at is null;
-- the list of an account's quotas, which an account can make as long as it likes
create index payer_quotas_by_account on facilitator.payer_quotas (account_id, id);
