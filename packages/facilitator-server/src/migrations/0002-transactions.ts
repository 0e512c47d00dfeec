import type { Migration } from '@mintmark/server-kit'

/**
 * What the built-in upstream has signed, written before it is broadcast, and how far deposits were read.
 *
 * A transaction is one use of a signer's nonce; its attempts are the signed bytes that were or may have been broadcast
 * for it, of which the chain takes at most one.
 */
export const transactionTables: Migration = {
  id: '0002_transactions',
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
  -- fill: a transfer of nothing to the signer itself, so that the nonces behind a gap can be mined.
  purpose text not null check (purpose in ('settle', 'fill')),
  settlement_id text,
  asset text,
  payer text,
  authorization_nonce text,
  recipient text not null,
  data text not null,
  gas numeric(78, 0) not null,
  -- superseded: the nonce was finally used by a transaction that is not ours.
  state text not null default 'sent' check (state in ('sent', 'mined', 'final', 'superseded')),
  hash text,
  succeeded boolean,
  block_number numeric(78, 0),
  block_hash text,
  created_at timestamptz not null default clock_timestamp(),

  constraint one_transaction_a_nonce unique (chain_id, signer, nonce),
  constraint one_transaction_a_payment unique (chain_id, asset, payer, authorization_nonce),
  constraint settles_name_their_payment check ((purpose = 'settle')
    = (settlement_id is not null and asset is not null and payer is not null and authorization_nonce is not null)),
  constraint mined_says_where check ((state in ('mined', 'final'))
    = (hash is not null and succeeded is not null and block_number is not null and block_hash is not null))
);
create index transactions_unfinished on facilitator.transactions (chain_id, signer, nonce)
  where state in ('sent', 'mined');
create index transactions_by_settlement on facilitator.transactions (settlement_id);

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
  -- Everything before it was read. The hash is that of the block just before, to notice when it is replaced.
  next_block numeric(78, 0) not null,
  last_hash text,
  primary key (chain_id, treasury)
);

create table facilitator.seen_deposits (
  chain_id bigint not null,
  treasury text not null,
  hash text not null,
  -- Which of its transaction's deposits: a reorganisation changes a log's index in the block, but not this.
  position integer not null,
  log_index integer not null,
  payer text not null,
  amount numeric(78, 0) not null,
  block_number numeric(78, 0) not null,
  block_hash text not null,
  lost boolean not null default false,
  primary key (chain_id, treasury, hash, position)
);
create index seen_deposits_by_block on facilitator.seen_deposits (chain_id, treasury, block_number);
`,
}
