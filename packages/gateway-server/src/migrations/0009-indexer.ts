import type { Migration } from '@mintmark/server-kit'
import { tenant } from './tenant.ts'

/**
 * What the indexer reads from chains. These tables are of no project: a chain says the same to all. The indexer writes them as the
 * schema's owner, since one block concerns many projects; the role of the projects' queries reads alone, and of transfers only those of
 * contracts that its project has registered.
 */
const chains = `
    create table gateway.chain_cursors (
      chain_id text primary key,
      -- the first block that is not read yet
      next_block bigint not null check (next_block >= 0),
      -- counts every write of what the chain says: who writes must know the one before
      version bigint not null default 0,
      -- the process that reads this chain, and until when no other one may
      holder text not null,
      lease_until timestamptz not null,
      -- the chain's newest block when it was last looked at
      head bigint not null default 0,
      began_at timestamptz not null default clock_timestamp(),
      -- when everything up to the head had been read
      caught_up_at timestamptz,
      -- the time of the last block that was read, by the chain's clock
      read_block_time timestamptz
    );

    -- the newest blocks that were read, and older ones at which a reading ended: what a reorganisation is found out by
    create table gateway.chain_blocks (
      chain_id text not null,
      number bigint not null,
      hash text not null,
      primary key (chain_id, number)
    );

    create table gateway.indexed_contracts (
      chain_id text not null,
      nft_address text not null,
      -- the first block that is not read for it; behind the chain's while it is being caught up, null until its start is known
      next_block bigint,
      primary key (chain_id, nft_address)
    );

    create table gateway.chain_transfers (
      -- of one sequence with the transfers that this server writes itself: both are listed together
      id bigint primary key default nextval('gateway.transfers_id_seq'),
      chain_id text not null,
      block_number bigint not null,
      block_time timestamptz not null,
      tx_hash text not null,
      log_index bigint not null,
      -- the place within a TransferBatch; 0 elsewhere
      batch_index integer not null,
      nft_address text not null,
      nft_id text not null,
      from_address text not null,
      to_address text not null,
      quantity numeric(78, 0) not null check (quantity > 0),
      constraint chain_transfers_once unique (chain_id, tx_hash, log_index, batch_index)
    );
    create index chain_transfers_block on gateway.chain_transfers (chain_id, block_number);
    create index chain_transfers_token on gateway.chain_transfers (nft_address, nft_id, id);
    create index chain_transfers_collection on gateway.chain_transfers (nft_address, id);
    create index chain_transfers_from on gateway.chain_transfers (from_address, id);
    create index chain_transfers_to on gateway.chain_transfers (to_address, id);

    create table gateway.chain_balances (
      chain_id text not null,
      nft_address text not null,
      nft_id text not null,
      owner text not null,
      -- without a bound, and below 0 where a contract's logs say so: one contract's nonsense stops nobody else
      quantity numeric not null,
      -- no block after this one has changed it
      changed_block bigint not null,
      primary key (chain_id, nft_address, nft_id, owner)
    );

    -- an asset's quantity by the chain's: what a contract claims beyond any uint256, or below 0, is shown as the bound
    create function gateway.shown_balance(quantity numeric) returns numeric language sql immutable as $$
      select least(greatest(quantity, 0), ${'9'.repeat(78)}::numeric)
    $$;

    revoke insert, update, delete on gateway.chain_cursors, gateway.chain_blocks, gateway.indexed_contracts,
      gateway.chain_transfers, gateway.chain_balances from mintmark_gateway;
    alter table gateway.chain_transfers enable row level security;
    create policy registered on gateway.chain_transfers for select using (exists (
      select from gateway.contracts c
      where c.project_id = current_setting('mintmark.project', true)::bigint and c.nft_address = chain_transfers.nft_address
        and c.chain_id = chain_transfers.chain_id and c.indexed and not c.deleted));
    -- no policy: balances are seen as the projects' assets
    alter table gateway.chain_balances enable row level security;
`

const projects = `
    -- of an indexed contract: what its owners had when it was registered stands in assets
    alter table gateway.contracts add column assets_written boolean not null default false;
    create index contracts_indexed on gateway.contracts (chain_id, nft_address) where indexed and not deleted;

    create index listings_inactive on gateway.listings (chain_id, asset_id) where status = 'INACTIVE';
    create index orders_undelivered on gateway.orders (chain_id, id) where delivery = 'pending';

    -- which transfers of the chain delivered what orders had sold; a transfer that is rolled back delivers nothing
    create table gateway.deliveries (
      project_id bigint not null,
      order_id bigint not null,
      transfer_id bigint not null references gateway.chain_transfers (id) on delete cascade,
      quantity numeric(78, 0) not null check (quantity > 0),
      primary key (project_id, order_id, transfer_id),
      foreign key (project_id, order_id) references gateway.orders (project_id, id)
    );
    create index deliveries_transfer on gateway.deliveries (transfer_id);
    ${tenant('deliveries')}
    revoke insert, update, delete on gateway.deliveries from mintmark_gateway;

    -- how tokens came to their owners: by this server's record, or by the chain's
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
    revoke insert, update, delete on gateway.transfer_history from mintmark_gateway;
`

/** Transfers and balances of indexed contracts, as their chains tell them. */
export const indexer: Migration = { id: '0009_indexer', up: [chains, projects].join('\n') }
