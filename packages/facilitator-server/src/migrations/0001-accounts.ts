/**
 * Who pays: accounts (one paying wallet each), their keys and the quotas that the wallets signed.
 *
 * `available` and `used` are the only balances that are stored; what is held and what was earned follow from
 * `ledger_transfers`. A stored revenue would make every settle of every account wait for one row.
 */
export const accountTables = /* sql */ `
create table facilitator.accounts (
  id bigint generated always as identity primary key,
  payer text not null unique check (payer ~ '^0x[0-9a-f]{40}$'),
  name text not null default '',
  available numeric(78, 0) not null default 0,
  next_quota_nonce numeric(78, 0) not null default 0,
  frozen_at timestamptz,
  frozen_reason text,
  created_at timestamptz not null default clock_timestamp(),
  constraint available_is_never_negative check (available >= 0),
  constraint a_freeze_has_a_reason check ((frozen_at is null) = (frozen_reason is null))
);

create table facilitator.api_keys (
  id bigint generated always as identity primary key,
  account_id bigint not null references facilitator.accounts,
  name text not null default '',
  -- The first characters, by which a person tells keys apart.
  prefix text not null,
  token_hash bytea not null unique,
  created_at timestamptz not null default clock_timestamp(),
  -- May lie ahead: a rotated key works until then.
  revoked_at timestamptz
);
create index api_keys_by_account on facilitator.api_keys (account_id, id);

create table facilitator.payer_quotas (
  id bigint generated always as identity primary key,
  account_id bigint not null references facilitator.accounts,
  payer text not null,
  limit_amount numeric(78, 0) not null check (limit_amount > 0),
  -- What was reserved against it: charged and held together.
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
  constraint used_is_within_the_limit check (used >= 0 and used <= limit_amount),
  constraint an_end_has_a_cause check ((ended_at is null) = (ended_by is null))
);
create unique index one_active_quota_an_account on facilitator.payer_quotas (account_id) where ended_at is null;
`
