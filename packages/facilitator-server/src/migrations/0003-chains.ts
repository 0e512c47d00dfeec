import type { Migration } from '@mintmark/server-kit'

/**
 * The transactions that the built-in upstream signed, recorded before they are broadcast, and what was read
 * from the treasury's chain.
 *
 * A transaction is one use of a signer's nonce. Its attempts are the signed bytes that were or may have been
 * broadcast for it. The chain accepts at most one of them.
 */
export const chainsBaseline: Migration = {
  id: '0003_baseline_chains',
  up: /* sql */ `
create table facilitator.signer_nonces (
  chain_id bigint not null,
  signer text not null,
  next_nonce bigint not null check (next_nonce >= 0),
  primary key (chain_id, signer)
);

create table facilitator.transactions (
  id bigint generated always as identity primary key,
  chain_id bigint not null,
  signer text not null,
  nonce bigint not null,
  -- fill: a transfer of nothing to the signer itself, so that the nonces after a gap can be mined.
  purpose text not null check (purpose in ('settle', 'fill')),
  settlement_id text,
  asset text,
  payer text,
  authorization_nonce text,
  recipient text not null,
  data text not null,
  gas numeric(78, 0) not null,
  -- superseded: another program's transaction finally used the nonce.
  state text not null default 'sent' check (state in ('sent', 'mined', 'final', 'superseded')),
  hash text,
  succeeded boolean,
  block_number numeric(78, 0),
  block_hash text,
  created_at timestamptz not null default clock_timestamp(),

  constraint transactions_unique_nonce unique (chain_id, signer, nonce),
  constraint transactions_unique_payment unique (chain_id, asset, payer, authorization_nonce),
  constraint transactions_settle_has_payment check ((purpose = 'settle')
    = (settlement_id is not null and asset is not null and payer is not null and authorization_nonce is not null)),
  constraint transactions_mined_has_block check ((state in ('mined', 'final'))
    = (hash is not null and succeeded is not null and block_number is not null and block_hash is not null))
);
-- The sweep reads sent transactions by signer and nonce, and mined ones by block.
create index transactions_sent on facilitator.transactions (chain_id, signer, nonce) where state = 'sent';
create index transactions_mined on facilitator.transactions (chain_id, block_number, block_hash)
  where state = 'mined';
create index transactions_by_settlement on facilitator.transactions (settlement_id);
create index transactions_reverted on facilitator.transactions (created_at) where succeeded = false;
create index transactions_reverted_by_payer on facilitator.transactions (payer, created_at) where succeeded = false;

create table facilitator.transaction_attempts (
  hash text primary key,
  transaction_id bigint not null references facilitator.transactions,
  raw text not null,
  max_fee_per_gas numeric(78, 0) not null,
  max_priority_fee_per_gas numeric(78, 0) not null,
  created_at timestamptz not null default clock_timestamp()
);
create index transaction_attempts_by_transaction on facilitator.transaction_attempts (transaction_id);

create table facilitator.deposit_cursors (
  chain_id bigint not null,
  treasury text not null,
  -- All earlier blocks were read. The hash is that of the block just before, to detect that it was replaced.
  next_block numeric(78, 0) not null,
  last_hash text,
  primary key (chain_id, treasury)
);

create table facilitator.observed_deposits (
  chain_id bigint not null,
  treasury text not null,
  hash text not null,
  -- The place among the deposits of the transaction. A reorganization changes a log's index in the block, but not this.
  position integer not null,
  log_index integer not null,
  payer text not null,
  amount numeric(78, 0) not null,
  block_number numeric(78, 0) not null,
  block_hash text not null,
  lost boolean not null default false,
  primary key (chain_id, treasury, hash, position)
);
create index observed_deposits_by_block on facilitator.observed_deposits (chain_id, treasury, block_number);

-- With the deposits, withdrawals explain the treasury's balance on the chain.
create table facilitator.treasury_withdrawals (
  chain_id bigint not null,
  treasury text not null,
  hash text not null,
  -- The place among the withdrawals of the transaction.
  position integer not null,
  log_index integer not null,
  recipient text not null,
  amount numeric(78, 0) not null,
  block_number numeric(78, 0) not null,
  block_hash text not null,
  primary key (chain_id, treasury, hash, position)
);
create index treasury_withdrawals_by_block on facilitator.treasury_withdrawals (chain_id, treasury, block_number);
`,
}
