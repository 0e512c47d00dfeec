/**
 * The ledger. A transfer moves an amount from one ledger account to another, so both sides of the double entry stand in
 * one row and the entries of a transaction sum to zero by construction; `ledger_entries` shows the sides one by one.
 *
 * Neither table refers to `accounts` by foreign key: the check would lock the account's row on every charge, and
 * `ledger check` finds a stray.
 */
export const ledgerTables = /* sql */ `
create function facilitator.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

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
  deposit_id bigint,
  actor text not null default 'facilitator',
  reason text,
  created_at timestamptz not null default clock_timestamp(),
  constraint ledger_accounts_are_known check (
    debit <> credit
    and debit in ('available', 'held', 'revenue', 'external', 'granted', 'suspense', 'receivable')
    and credit in ('available', 'held', 'revenue', 'external', 'granted', 'suspense', 'receivable')),
  constraint payer_money_has_an_account check (
    account_id is not null or not (debit in ('available', 'held', 'receivable') or credit in ('available', 'held', 'receivable')))
);
-- A settlement is held, captured, released and refunded at most once each.
create unique index one_transfer_a_step on facilitator.ledger_transfers (settlement_id, kind)
  where settlement_id is not null;
-- And it is either captured or released.
create unique index captured_or_released on facilitator.ledger_transfers (settlement_id)
  where kind in ('capture', 'release');
create index ledger_transfers_by_account on facilitator.ledger_transfers (account_id, id);
create trigger append_only before update or delete or truncate on facilitator.ledger_transfers
  execute function facilitator.refuse_change();

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
  -- Set while a reorganisation has taken it off the chain.
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
create trigger append_only before update or delete or truncate on facilitator.events
  execute function facilitator.refuse_change();
`
