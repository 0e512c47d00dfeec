-- What was paid: the transfers of the ledger, and the deposits.
--
-- A transfer moves an amount from one ledger account to another, so both sides of the double entry are in one
-- row and the entries of a transaction sum to zero. The view `ledger_entries` lists the sides one by one.
--
-- `ledger_transfers` does not refer to `accounts` by a foreign key, whose check would lock the account's row
-- on every charge. `ledger check` finds transfers without an account. It has no primary key either: nothing
-- finds a transfer by its id.

create table facilitator.ledger_transfers (
  id bigint generated always as identity,
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
-- A reservation is held once, captured or released once, and refunded once.
create unique index ledger_transfers_one_per_step on facilitator.ledger_transfers
  (settlement_id, reservation, (case kind when 'capture' then 'end' when 'release' then 'end' else kind end))
  where settlement_id is not null;
-- what accounts owe
create index ledger_transfers_receivable on facilitator.ledger_transfers (account_id)
  where 'receivable' in (debit, credit);
-- the credits and deposits of an account, which operators read
create index ledger_transfers_without_settlement on facilitator.ledger_transfers (account_id, id)
  where settlement_id is null;

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
-- the deposits of a wallet that becomes an account
create index deposits_in_suspense on facilitator.deposits (payer) where account_id is null;
-- the deposits of an account, which operators read
create index deposits_by_account on facilitator.deposits (account_id, id);
