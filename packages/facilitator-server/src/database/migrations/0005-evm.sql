-- The transactions of EVM chains that the built-in upstream signed, recorded before they are broadcast.
--
-- A transaction is one use of a signer's nonce. Its attempts are the signed bytes that were or may have been
-- broadcast for it. The chain accepts at most one of them.
--
-- A batch is one transaction that executes many payments. Each of its payments has a row of its own without a
-- nonce, so that a payment has one row however it is sent: with its outcome, its revert and its share of the
-- gas.

create table facilitator.signer_nonces (
  chain_id bigint not null,
  signer text not null,
  next_nonce bigint not null check (next_nonce >= 0),
  -- Null before the first audit.
  audited_nonce bigint,
  -- Until when what the signer has executed can be continued by it alone. Null: nothing can.
  needed_until timestamptz,
  primary key (chain_id, signer)
);

create table facilitator.transactions (
  id bigint generated always as identity primary key,
  chain_id bigint not null,
  -- Null for a payment of a batch.
  signer text,
  nonce bigint,
  -- fill: a transfer of nothing to the signer itself, so that the nonces after a gap can be mined.
  -- grant: a transfer of native tokens to a payer, for the gas of an approval.
  purpose text not null,
  -- The batch that executes the payment.
  batch_id bigint references facilitator.transactions,
  settlement_id bigint,
  -- What keeps the nonce, as in settlements.
  domain text,
  payer text,
  authorization_nonce text,
  recipient text not null,
  data text not null,
  value numeric(78, 0) not null default 0,
  gas numeric(78, 0) not null,
  -- superseded: another program's transaction finally used the nonce.
  state text not null default 'sent' check (state in ('sent', 'mined', 'final', 'superseded')),
  hash text,
  succeeded boolean,
  block_number numeric(78, 0),
  block_hash text,
  created_at timestamptz not null default clock_timestamp(),
  mined_at timestamptz,

  constraint transactions_unique_nonce unique (chain_id, signer, nonce),
  constraint transactions_unique_payment unique (chain_id, domain, payer, authorization_nonce),
  constraint transactions_purpose_check
    check (purpose in ('settle', 'fill', 'grant', 'batch') and (value = 0 or purpose = 'grant')),
  constraint transactions_batched_without_nonce check (case when batch_id is null
    then signer is not null and nonce is not null else signer is null and nonce is null and purpose = 'settle' end),
  constraint transactions_settle_has_payment check ((purpose = 'settle')
    = (settlement_id is not null and domain is not null and payer is not null and authorization_nonce is not null)),
  constraint transactions_mined_has_block check ((state in ('mined', 'final'))
    = (hash is not null and succeeded is not null and block_number is not null and block_hash is not null))
);
-- the sweep: sent transactions by signer and nonce
create index transactions_sent on facilitator.transactions (chain_id, signer, nonce) where state = 'sent';
-- the sweep: mined transactions by block
create index transactions_mined on facilitator.transactions (chain_id, block_number, block_hash) where state = 'mined';
-- what a settlement's transaction became
create index transactions_by_settlement on facilitator.transactions (settlement_id);
-- whether there are reverts at all, and those of an account
create index transactions_reverted on facilitator.transactions (created_at) where succeeded = false;
-- the reverts of a payer
create index transactions_reverted_by_payer on facilitator.transactions (payer, created_at) where succeeded = false;
-- the payments of a batch
create index transactions_by_batch on facilitator.transactions (batch_id) where batch_id is not null;
-- the sweep: payments that a mined batch did not execute
create index transactions_batched_sent on facilitator.transactions (batch_id) where batch_id is not null and state = 'sent';

create table facilitator.transaction_attempts (
  hash text primary key,
  transaction_id bigint not null references facilitator.transactions,
  signer text not null,
  nonce bigint not null,
  raw text not null,
  max_fee_per_gas numeric(78, 0) not null,
  max_priority_fee_per_gas numeric(78, 0) not null,
  created_at timestamptz not null default clock_timestamp()
);
-- the signed bytes that the sweep broadcasts again
create index transaction_attempts_by_transaction on facilitator.transaction_attempts (transaction_id);
