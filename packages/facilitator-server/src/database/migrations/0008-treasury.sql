-- What was read from the treasury's chain.

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
-- the deposits of blocks that a reorganization replaced
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
-- the withdrawals of blocks that a reorganization replaced
create index treasury_withdrawals_by_block on facilitator.treasury_withdrawals (chain_id, treasury, block_number);
