import type { Migration } from '@mintmark/server-kit'

/**
 * Who pays: accounts (one paying wallet each), their API keys and the quotas that the wallets signed. What
 * was paid: the transfers of the ledger and the deposits. What happened: the events.
 *
 * `accounts.available` and `payer_quotas.used` are the only stored balances. Holds and revenue follow from
 * `ledger_transfers`: a stored revenue would make the settles of all accounts wait for one row.
 *
 * A transfer moves an amount from one ledger account to another, so both sides of the double entry are in one
 * row and the entries of a transaction sum to zero. The view `ledger_entries` lists the sides one by one.
 *
 * `ledger_transfers` does not refer to `accounts` by a foreign key, whose check would lock the account's row
 * on every charge. `ledger check` finds transfers without an account.
 */
export const ledgerBaseline: Migration = {
  id: '0001_baseline_ledger',
  up: /* sql */ `
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
  created_at timestamptz not null default clock_timestamp(),
  constraint accounts_available_not_negative check (available >= 0),
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
create index api_keys_by_account on facilitator.api_keys (account_id, id);

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
create unique index payer_quotas_one_active_per_account on facilitator.payer_quotas (account_id) where ended_at is null;

create table facilitator.ledger_transfers (
  id bigint generated always as identity primary key,
  kind text not null check (kind in
    ('hold', 'capture', 'release', 'refund', 'credit', 'deposit', 'suspense', 'claim', 'repayment', 'reversal')),
  debit text not null,
  credit text not null,
  amount numeric(78, 0) not null check (amount > 0),
  account_id bigint,
  quota_id bigint,
  settlement_id bigint,
  -- The settlement's reservation that the transfer belongs to.
  reservation integer not null default 1,
  deposit_id bigint,
  actor text not null default 'facilitator',
  reason text,
  created_at timestamptz not null default clock_timestamp(),
  constraint ledger_transfers_valid_accounts check (
    debit <> credit
    and debit in ('available', 'held', 'revenue', 'external', 'granted', 'suspense', 'receivable')
    and credit in ('available', 'held', 'revenue', 'external', 'granted', 'suspense', 'receivable')),
  constraint ledger_transfers_payer_money_has_account check (
    account_id is not null or not (debit in ('available', 'held', 'receivable') or credit in ('available', 'held', 'receivable')))
);
-- A reservation is held, captured, released and refunded at most once each.
create unique index ledger_transfers_one_per_kind on facilitator.ledger_transfers (settlement_id, reservation, kind)
  where settlement_id is not null;
-- It is either captured or released.
create unique index ledger_transfers_captured_or_released on facilitator.ledger_transfers (settlement_id, reservation)
  where kind in ('capture', 'release');
create index ledger_transfers_by_account on facilitator.ledger_transfers (account_id, id);

create view facilitator.ledger_entries as
  select id as transfer_id, debit as ledger_account, -amount as amount, account_id, quota_id, settlement_id, kind
    from facilitator.ledger_transfers
  union all
  select id, credit, amount, account_id, quota_id, settlement_id, kind from facilitator.ledger_transfers;

create table facilitator.deposits (
  id bigint generated always as identity primary key,
  chain_id bigint not null,
  hash text not null,
  log_index integer not null,
  payer text not null,
  amount numeric(78, 0) not null check (amount > 0),
  block_number numeric(78, 0) not null,
  block_hash text not null,
  -- Null while no account has this wallet: the amount is in suspense.
  account_id bigint references facilitator.accounts,
  created_at timestamptz not null default clock_timestamp(),
  -- Set while a reorganization has removed the deposit from the chain.
  reversed_at timestamptz,
  unique (chain_id, hash, log_index)
);
create index deposits_in_suspense on facilitator.deposits (payer) where account_id is null;

create table facilitator.events (
  id bigint generated always as identity primary key,
  subject text not null,
  sequence bigint not null,
  type text not null,
  account_id bigint not null,
  data jsonb not null,
  occurred_at timestamptz not null default clock_timestamp(),
  unique (subject, sequence)
);
`,
}
