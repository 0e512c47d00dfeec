import type { Migration } from '@mintmark/server-kit'
import { indexIds, tenant } from './tenant.ts'

/** Reservations of mints, with their signatures. */
export const mintReservations: Migration = {
  id: '0009_mint_reservations',
  up: `
    create table gateway.mint_reservations (
      id bigint generated always as identity,
      project_id bigint not null references gateway.projects (id),
      collection_id bigint not null,
      phase_id bigint not null,
      -- the NFT's id in the table of its program; 0 for the collection's own token
      nft bigint not null default 0,
      recipient text not null,
      quantity bigint not null check (quantity > 0),
      price numeric(78, 0) not null,
      pay_token_address text not null default '',
      -- whether an order must be paid before the signature, which then has the price 0
      needs_order boolean not null default false,
      -- such a reservation ends with its order instead of at expires_at
      order_id bigint,
      -- the wallet's limit in the phase at the time of the reservation; 0 for no limit
      wallet_limit bigint not null default 0,
      status text not null default 'RESERVED' check (status in ('RESERVED', 'SIGNED', 'MINTED', 'RELEASED')),
      -- the end of a reservation without a signature, by the database's clock
      expires_at timestamptz not null,
      minter text not null default '',
      uid text not null default '',
      -- the signed MintRequest
      payload jsonb not null default '{}',
      signature text not null default '',
      -- the chain's head at the time of signing, and the last block whose logs were searched
      from_block bigint not null default 0,
      searched_to bigint not null default 0,
      -- the last block that was read by its hash for this mint after the signature expired; 0 for none
      proven_to bigint not null default 0,
      -- how often the chain did not prove whether the expired signature was used
      undecided_attempts integer not null default 0,
      -- the end of the signature by the chain's clock, in Unix seconds
      valid_until bigint not null default 0,
      token_id text not null default '',
      hash text not null default '',
      -- when the chain is read next; null for never
      due_at timestamptz,
      created_at timestamptz not null default clock_timestamp(),
      updated_at timestamptz not null default clock_timestamp(),
      primary key (project_id, id),
      foreign key (project_id, collection_id) references gateway.mint_collections (project_id, id),
      foreign key (project_id, phase_id) references gateway.mint_phases (project_id, id),
      constraint mint_reservations_ordered check (order_id is null or needs_order),
      foreign key (project_id, order_id) references gateway.orders (project_id, id)
    );
    create unique index mint_reservations_uid on gateway.mint_reservations (project_id, uid) where uid <> '';
    create index mint_reservations_wallet on gateway.mint_reservations (project_id, collection_id, recipient, id)
      where status in ('RESERVED', 'SIGNED');
    create index mint_reservations_nft on gateway.mint_reservations (project_id, collection_id, nft, id)
      where status in ('RESERVED', 'SIGNED');
    create index mint_reservations_expired on gateway.mint_reservations (project_id, collection_id, expires_at)
      where status = 'RESERVED' and order_id is null;
    create index mint_reservations_due on gateway.mint_reservations (due_at) where due_at is not null;
    create index mint_reservations_list on gateway.mint_reservations (project_id, collection_id, id) where uid <> '';
    create index mint_reservations_list_wallet on gateway.mint_reservations (project_id, collection_id, recipient, id)
      where uid <> '';
    create unique index one_mint_an_order on gateway.mint_reservations (project_id, order_id)
      where order_id is not null and status <> 'RELEASED';
    create index mint_reservations_order on gateway.mint_reservations (project_id, order_id, id) where order_id is not null;
    create index mint_reservations_undecided on gateway.mint_reservations (collection_id)
      where status = 'SIGNED' and undecided_attempts > 0;
    ${indexIds('mint_reservations')}
    ${tenant('mint_reservations')}
  `,
}
