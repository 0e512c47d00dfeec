import type { Migration } from '@mintmark/server-kit'

/** Tokens of a presale that are paid by an order before they are minted. */
export const mintOrders: Migration = {
  id: '0011_mint_orders',
  // Programs from before it end reservations of orders by their own time, and sign what an order has to pay.
  contracts: true,
  up: `
    alter table gateway.mint_phases
      -- who takes the price: the contract when it mints, or an order before it is signed
      add column priced_by text not null default 'CHAIN' check (priced_by in ('CHAIN', 'ORDER'));

    alter table gateway.mint_wallets
      -- orders of the phase that are neither paid nor over
      add column open integer not null default 0 check (open >= 0);

    alter table gateway.orders
      -- of market types 8 and 9: the phase that sells
      add column phase_id bigint,
      add foreign key (project_id, phase_id) references gateway.mint_phases (project_id, id),
      drop constraint orders_of_one_sale,
      add constraint orders_of_one_sale check (num_nonnulls(listing_id, auction_id, offer_id, phase_id) <= 1);
    create index orders_expiring_mints on gateway.orders (project_id, phase_id, expires_at)
      where status = 0 and phase_id is not null;

    alter table gateway.mint_reservations
      -- it costs something, and an order takes it: it is signed at a price of 0 once that is paid
      add column needs_order boolean not null default false,
      -- whose it is; such a reservation ends with its order, and not by its own time
      add column order_id bigint,
      -- what the wallet could have in the phase when it was reserved; 0: any number
      add column wallet_limit bigint not null default 0,
      add foreign key (project_id, order_id) references gateway.orders (project_id, id),
      add constraint mint_reservations_ordered check (order_id is null or needs_order);
    create unique index one_mint_an_order on gateway.mint_reservations (project_id, order_id)
      where order_id is not null and status <> 'RELEASED';
    create index mint_reservations_order on gateway.mint_reservations (project_id, order_id, id) where order_id is not null;
    drop index gateway.mint_reservations_expired;
    create index mint_reservations_expired on gateway.mint_reservations (project_id, collection_id, expires_at)
      where status = 'RESERVED' and order_id is null;
  `,
}
