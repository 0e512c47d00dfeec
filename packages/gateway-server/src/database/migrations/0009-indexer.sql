-- Transfers and balances of indexed contracts. These tables belong to no project, because a chain is the same for all. The
-- indexer writes them as the owner of the schema.

create table gateway.chain_cursors (
  chain_id text primary key,
  -- the first unread block
  next_block bigint not null check (next_block >= 0),
  -- incremented by every write of the indexer, which must know the previous version
  version bigint not null default 0,
  -- the process that reads the chain, and the end of its lease
  holder text not null,
  lease_until timestamptz not null,
  -- the chain's head when it was last read
  head bigint not null default 0,
  began_at timestamptz not null default clock_timestamp(),
  -- when the head was last reached
  caught_up_at timestamptz,
  -- the time of the last read block, by the chain's clock
  read_block_time timestamptz
);

-- The newest blocks, and older ones at which a range ended. They reveal a reorganization.
create table gateway.chain_blocks (
  chain_id text not null,
  number bigint not null,
  hash text not null,
  primary key (chain_id, number)
);

create table gateway.indexed_contracts (
  chain_id text not null,
  nft_address text not null,
  -- the first unread block; lower than the chain's while the contract catches up, null until its first block is known
  next_block bigint,
  primary key (chain_id, nft_address)
);

create table gateway.chain_transfers (
  -- from the sequence of gateway.transfers, because lists contain both
  id bigint primary key default nextval('gateway.transfers_id_seq'),
  chain_id text not null,
  block_number bigint not null,
  block_time timestamptz not null,
  tx_hash text not null,
  log_index bigint not null,
  -- the index within a TransferBatch; otherwise 0
  batch_index integer not null,
  nft_address text not null,
  nft_id text not null,
  from_address text not null,
  to_address text not null,
  quantity numeric(78, 0) not null check (quantity > 0),
  -- In the order in which the indexer writes. Also finds the transfers after a block.
  constraint chain_transfers_once unique (chain_id, block_number, tx_hash, log_index, batch_index)
);
-- assets.transfers, assets.transfers of a contract
create index chain_transfers_collection on gateway.chain_transfers (nft_address, id);
-- assets.transfers of a token
create index chain_transfers_token on gateway.chain_transfers (nft_address, nft_id, id);
-- assets.transfers of a wallet
create index chain_transfers_from on gateway.chain_transfers (nft_address, from_address, id);
-- assets.transfers of a wallet
create index chain_transfers_to on gateway.chain_transfers (nft_address, to_address, id);

create table gateway.chain_balances (
  chain_id text not null,
  nft_address text not null,
  nft_id text not null,
  owner text not null,
  -- unbounded, and negative if a contract's logs say so: a broken contract must not stop the others
  quantity numeric not null,
  -- the block that last changed it
  changed_block bigint not null,
  primary key (chain_id, nft_address, nft_id, owner)
);

-- The transfers that delivered an order. A reorganization deletes its transfers and their deliveries.
create table gateway.deliveries (
  project_id bigint not null,
  order_id bigint not null,
  transfer_id bigint not null references gateway.chain_transfers (id) on delete cascade,
  quantity numeric(78, 0) not null check (quantity > 0),
  primary key (project_id, order_id, transfer_id),
  foreign key (project_id, order_id) references gateway.orders (project_id, id)
);
-- indexer: deletes the deliveries of a reorganization; assets.transfers
create index deliveries_transfer on gateway.deliveries (transfer_id);

-- Transfers that this server recorded, and those of indexed contracts.
create view gateway.transfer_history with (security_invoker = true) as
  select id, project_id, chain_id, nft_address, nft_id, from_address, to_address, quantity, order_no, hash, created_at
  from gateway.transfers
  union all
  select t.id, c.project_id, t.chain_id, t.nft_address, t.nft_id, t.from_address, t.to_address, t.quantity,
    coalesce((select o.order_no from gateway.deliveries d
      join gateway.orders o on o.project_id = d.project_id and o.id = d.order_id
      where d.transfer_id = t.id and d.project_id = c.project_id order by o.id limit 1), ''),
    t.tx_hash, t.block_time
  from gateway.chain_transfers t
  join gateway.contracts c on c.nft_address = t.nft_address and c.chain_id = t.chain_id and c.indexed and not c.deleted;
